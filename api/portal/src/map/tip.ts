// What is at a dot: shown while the pointer is over it, and listed after a click.

import type { Found } from "./dots";
import { inDegrees } from "./graticule";
import type { Box, MapPicture } from "./picture";

/** Shows tips in an element over the picture, and lists what was clicked. */
export function showTips(picture: MapPicture, tip: HTMLElement, names: string[], list: (box: Box) => void): void {
  const { canvas } = picture;
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const found = canvas.classList.contains("selecting") ? undefined : picture.at(offsetX, offsetY);
    tip.hidden = !found;
    canvas.classList.toggle("over", found !== undefined);
    if (found) {
      tip.textContent = inWords(found, names);
      const isRight = offsetX > canvas.clientWidth / 2;
      tip.style.translate = `calc(${offsetX}px ${isRight ? "- 100% -" : "+"} 12px) ${offsetY + 12}px`;
    }
  });
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  canvas.addEventListener("click", ({ offsetX, offsetY, defaultPrevented }) => {
    const found = defaultPrevented || canvas.classList.contains("selecting") ? undefined : picture.at(offsetX, offsetY);
    if (found) {
      list(found.box);
    }
  });
}

function inWords({ numSamples, biome, box }: Found, names: string[]): string {
  const samples = `${numSamples.toLocaleString("en")} ${numSamples === 1 ? "sample" : "samples"}`;
  const place = `${inDegrees((box.south + box.north) / 2, "S", "N")}, ${inDegrees((box.west + box.east) / 2, "W", "E")}`;
  return `${samples}, mostly ${names[biome] ?? ""}, at ${place}. A click lists them.`;
}
