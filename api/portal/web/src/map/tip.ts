// The tooltip of a dot; a click lists its samples.

import type { Found } from "./dots";
import { inDegrees } from "./graticule";
import type { MapPicture } from "./picture";
import type { Box } from "./places";

/** Shows tooltips in an element over the picture, and lists the samples of a clicked dot. */
export function showTips(picture: MapPicture, tip: HTMLElement, names: string[], list: (box: Box) => void): void {
  const { canvas } = picture;
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const found = canvas.classList.contains("selecting") ? undefined : picture.at(offsetX, offsetY);
    tip.hidden = !found;
    canvas.classList.toggle("over", found !== undefined);
    if (found) {
      tip.textContent = describe(found, names);
      const isRight = offsetX > canvas.clientWidth / 2;
      tip.style.translate = `calc(${offsetX}px ${isRight ? "- 100% -" : "+"} 12px) ${offsetY + 12}px`;
    }
  });
  for (const type of ["pointerleave", "wheel"]) {
    canvas.addEventListener(type, () => (tip.hidden = true), { passive: true });
  }
  canvas.addEventListener("click", ({ offsetX, offsetY, defaultPrevented }) => {
    const found = defaultPrevented || canvas.classList.contains("selecting") ? undefined : picture.at(offsetX, offsetY);
    if (found) {
      list(found.box);
    }
  });
}

function describe({ numSamples, biome, box }: Found, names: string[]): string {
  const isOne = numSamples === 1;
  const what = `${numSamples.toLocaleString("en")} ${isOne ? "sample," : "samples, mostly"}`;
  const where = `${inDegrees((box.south + box.north) / 2, "S", "N")}, ${inDegrees((box.west + box.east) / 2, "W", "E")}`;
  const isOnePlace = box.west === box.east && box.south === box.north;
  return `${what} ${names[biome] ?? ""}, ${isOnePlace ? "at" : "around"} ${where}. Click to list ${isOne ? "it" : "them"}.`;
}
