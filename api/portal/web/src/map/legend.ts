// The legend of the colours and sizes of dots.

import { radius } from "./dots";
import type { Places } from "./places";

const SIZES = [1, 10, 100, 1000];

const SVG = "http://www.w3.org/2000/svg";

/** Lists the biomes on the map, and sizes up to that of the largest dot. */
export function legendOf({ biomes, names }: Places, most: number): HTMLElement {
  const legend = document.createElement("span");
  legend.className = "legend";
  names.forEach((name, biome) => {
    if (biomes.includes(biome)) {
      const dot = document.createElement("span");
      dot.className = `dot biome-${biome}`;
      legend.append(entry(dot, name));
    }
  });
  for (const size of SIZES.filter((size) => size <= most)) {
    legend.append(entry(circle(radius(size)), `${size.toLocaleString("en")} ${size === 1 ? "sample" : "samples"}`));
  }
  return legend;
}

function entry(sign: Element, text: string): HTMLElement {
  const entry = document.createElement("span");
  entry.append(sign, text);
  return entry;
}

function circle(radius: number): SVGElement {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("width", `${2 * radius + 6}`);
  picture.setAttribute("height", `${2 * radius}`);
  picture.setAttribute("aria-hidden", "true");
  const circle = document.createElementNS(SVG, "circle");
  Object.entries({ cx: radius, cy: radius, r: radius }).forEach(([name, value]) => circle.setAttribute(name, `${value}`));
  picture.append(circle);
  return picture;
}
