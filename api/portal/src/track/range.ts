// The part of the sequence that the picture shows, with buttons for those who cannot drag.

import { button, toolbar } from "../buttons";
import type { Picture } from "./drawing";

export interface Range {
  /** Shows everything unless a part is visible already. */
  reveal(start: number, end: number): void;
}

// The fewest residues that are shown.
const RESIDUES_MIN = 10;

export function showRangeButtons(figure: HTMLElement, picture: Picture, length: number): Range {
  let [first, last] = [1, length];
  picture.manager.addEventListener("change", (event) => {
    const detail = (event as CustomEvent<Record<string, unknown> | null>).detail;
    if (typeof detail?.["display-start"] === "number" && typeof detail["display-end"] === "number") {
      [first, last] = [detail["display-start"], detail["display-end"]];
    }
  });
  const show = (from: number, residues: number): void => {
    const shown = Math.min(length, Math.max(Math.min(RESIDUES_MIN, length), residues));
    const start = Math.min(Math.max(1, from), length - shown + 1);
    // What the elements tell each other when they are dragged.
    const detail = { "display-start": start, "display-end": start + shown - 1 };
    picture.navigation.dispatchEvent(new CustomEvent("change", { detail, bubbles: true }));
  };
  const residues = (): number => last - first + 1;
  const zoom = (factor: number): void => show(first + (residues() * (1 - factor)) / 2, residues() * factor);
  const move = (share: number): void => show(first + residues() * share, residues());
  const buttons = toolbar(
    "What the picture shows",
    button("+", () => zoom(0.5), "Zoom in"),
    button("−", () => zoom(2), "Zoom out"),
    button("←", () => move(-0.5), "To the left"),
    button("→", () => move(0.5), "To the right"),
    button("Whole sequence", () => show(1, length)),
  );
  figure.after(buttons);
  return {
    reveal: (start, end) => {
      if (start < first || end > last) {
        show(1, length);
      }
    },
  };
}
