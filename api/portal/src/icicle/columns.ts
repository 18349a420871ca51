// How wide the levels of a tree are.

import type { HierarchyNode } from "d3-hierarchy";

import type { Biome } from "./tree";

// The letters that a level is given room for, beside the space around a text.
const LETTERS_MIN = 4;
const LETTERS_MAX = 20;
const LETTERS_AROUND = 3;

/** Returns the left edges of all levels, and the right edge of the last: longer names get more room. */
export function columns(root: HierarchyNode<Biome>, firstLevel: number, width: number): number[] {
  const letters = Array<number>(root.height - firstLevel + 1).fill(LETTERS_MIN);
  root.each((node) => {
    const level = node.depth - firstLevel;
    letters[level] = Math.max(letters[level] ?? 0, Math.min(LETTERS_MAX, node.data.name.length));
  });
  const weights = letters.map((count) => count + LETTERS_AROUND);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return [0, ...weights.map((weight) => ((sum += weight), (sum / total) * width))];
}
