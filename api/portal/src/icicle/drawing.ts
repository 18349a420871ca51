// Draws a tree of biomes: deeper levels to the right, more proteins higher. Text stays horizontal, which reads well on any screen.

import { type HierarchyNode, type HierarchyRectangularNode, partition } from "d3-hierarchy";

import { columns } from "./columns";
import { labels } from "./labels";
import type { Biome } from "./tree";

type Cell = HierarchyRectangularNode<Biome>;

const SVG = "http://www.w3.org/2000/svg";

const HEIGHT_MIN = 120;
const HEIGHT_MAX = 520;
const HEIGHT_OF_LEAF = 30;

// What can be hit with a finger, in pixels. Smaller cells are drawn and can be clicked; for the keyboard there is the table.
const TARGET_MIN = 24;

// Cells that nobody would see are left out.
const DRAWN_MIN = 1.5;

const NUM_COLOURS = 6;

/** Replaces the picture in a figure, which leaves out proteins whose biome is not recorded. */
export function drawIcicle(figure: HTMLElement, top: HierarchyNode<Biome>, width: number, notRecorded = "0"): void {
  const height = Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, top.leaves().length * HEIGHT_OF_LEAF));
  const root = partition<Biome>().size([height, 1])(top.copy());
  const levels = root.data.name ? 0 : 1;
  const lefts = columns(root, levels, width);
  const picture = create("svg", { width: `${width}`, height: `${height}`, viewBox: `0 0 ${width} ${height}` });
  const colours = coloursOf(root);
  for (const cell of root.descendants()) {
    const [left, right] = [lefts[cell.depth - levels], lefts[cell.depth - levels + 1]];
    if (left !== undefined && right !== undefined && cell.x1 - cell.x0 >= DRAWN_MIN) {
      picture.append(draw(cell, left, right, colours.get(cell)));
    }
  }
  const caption = document.createElement("figcaption");
  caption.className = "note";
  caption.textContent = "The higher a cell, the more proteins. One that was found in several biomes counts in each.";
  if (notRecorded !== "0") {
    caption.textContent += ` Not in the picture: ${notRecorded} whose biome is not recorded.`;
  }
  const focused = figure.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : undefined;
  figure.replaceChildren(picture, caption);
  if (focused) {
    [...picture.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  }
}

function draw(cell: Cell, left: number, right: number, colour: number | undefined): SVGElement {
  const { name, shownCount, href } = cell.data;
  const [top, height] = [cell.x0, cell.x1 - cell.x0];
  const isTarget = height - 1 >= TARGET_MIN;
  const whole = `${name}: ${shownCount} proteins`;
  const element = isTarget ? create("a", { href }) : create("g", { "aria-hidden": "true" });
  element.classList.add("cell", colour === undefined ? "trunk" : `branch-${colour}`);
  // What it is called; a label that shows a part of it alone would not be one for those who speak what they see.
  const title = create("title");
  title.textContent = whole;
  const box = { x: left, y: top, width: right - left - 1, height: Math.max(1, height - 1) };
  element.append(title, create("rect", asText(box)));
  for (const { text, x, y, isCount } of labels(name, shownCount, box)) {
    const label = create("text", { ...asText({ x, y }), class: isCount ? "count" : "" });
    label.textContent = text;
    element.append(label);
  }
  if (!isTarget) {
    element.addEventListener("click", () => location.assign(href));
  }
  return element;
}

// Branches get colours where the tree first parts.
function coloursOf(root: Cell): Map<Cell, number> {
  let parting: Cell | undefined = root;
  while (parting?.children?.length === 1) {
    parting = parting.children[0];
  }
  const colours = new Map<Cell, number>();
  parting?.children?.forEach((branch, index) => branch.each((cell) => colours.set(cell, index % NUM_COLOURS)));
  return colours;
}

function create<Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Record<string, string> = {}): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  return element;
}

function asText(numbers: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, `${Math.round(number * 100) / 100}`]));
}
