// The tree of biomes as an icicle: a picture of the table below it, whose cells are links.

import { drawIcicle } from "./icicle/drawing";
import { readBiomes } from "./icicle/tree";

for (const figure of document.querySelectorAll<HTMLElement>("figure.icicle[data-table]")) {
  show(figure);
}

function show(figure: HTMLElement): void {
  const table = document.getElementById(figure.dataset["table"] ?? "");
  const top = table && readBiomes(table);
  // A single cell says nothing that the table does not.
  if (!top?.children) {
    return;
  }
  const [, notRecorded] = table?.querySelector<HTMLTableRowElement>("tr.not-recorded")?.cells ?? [];
  figure.setAttribute("aria-label", figure.dataset["label"] ?? "");
  figure.hidden = false;
  let drawn = 0;
  const draw = (): void => {
    if (figure.clientWidth !== drawn) {
      drawn = figure.clientWidth;
      drawIcicle(figure, top, drawn, notRecorded?.textContent);
    }
  };
  draw();
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(figure);
}
