// The domains of a protein as a picture, tied to the rows of the table below it.

import { draw } from "./track/drawing";
import { readHits } from "./track/hits";
import { showRangeButtons } from "./track/range";
import { tie } from "./track/selection";

for (const figure of document.querySelectorAll<HTMLElement>("figure.track[data-table]")) {
  const table = document.getElementById(figure.dataset["table"] ?? "");
  const length = Number(figure.dataset["length"]);
  const hits = table ? readHits(table) : [];
  if (hits.length > 0 && length > 0) {
    // For those who do not see it, the picture is its name: the table says the same.
    figure.setAttribute("role", "img");
    figure.setAttribute("aria-label", figure.dataset["label"] ?? "");
    figure.hidden = false;
    const picture = draw(figure, hits, length);
    const range = showRangeButtons(figure, picture, length);
    tie(figure, picture, hits, range);
  }
}
