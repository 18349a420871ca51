// Ties domains in the picture to rows of the table: what is selected in one is marked in the other.

import type { Picture } from "./drawing";
import type { Hit } from "./hits";
import type { Range } from "./range";

const HINT = "Select a domain to mark its row, or a row to mark its domain. Ctrl and the wheel zoom.";

// What the elements tell of the pointer.
interface Detail {
  eventType?: string;
  feature?: { accession?: string } | null;
}

export function tie(figure: HTMLElement, picture: Picture, hits: Hit[], range: Range): void {
  let selected: Hit | undefined;
  const caption = document.createElement("figcaption");
  caption.className = "note";
  caption.textContent = HINT;
  figure.append(caption);

  const select = (hit: Hit | undefined): void => {
    if (selected) {
      selected.row.removeAttribute("aria-selected");
      picture.laneOf(selected).removeAttribute("highlight");
      picture.navigation.removeAttribute("highlight");
    }
    selected = hit;
    caption.textContent = wordsFor(hit);
    if (hit) {
      hit.row.setAttribute("aria-selected", "true");
      range.reveal(hit.start, hit.end);
      picture.laneOf(hit).setAttribute("highlight", `${hit.start}:${hit.end}`);
      picture.navigation.setAttribute("highlight", `${hit.start}:${hit.end}`);
    }
  };

  const listen = (event: Event): void => {
    const { detail } = event as CustomEvent<Detail | null>;
    if (!detail?.eventType) {
      return;
    }
    // The manager would draw everything again, and what then is under the pointer would say so again.
    event.stopPropagation();
    const hit = hits.find((hit) => hit.id === detail.feature?.accession);
    if (detail.eventType === "click" && hit) {
      select(hit);
      // Styles say whether this moves or jumps.
      hit.row.scrollIntoView({ block: "nearest" });
    } else {
      caption.textContent = wordsFor(detail.eventType === "mouseover" ? hit : selected);
    }
  };
  figure.addEventListener("change", listen, { capture: true });

  for (const hit of hits) {
    makeSelectable(hit);
    hit.row.addEventListener("focusin", () => select(hit));
    hit.row.addEventListener("click", () => select(hit));
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      select(undefined);
    }
  });
}

// The dot with the colour of the domain becomes a button.
function makeSelectable(hit: Hit): void {
  const dot = hit.row.querySelector(".dot");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "mark";
  button.setAttribute("aria-label", `Mark ${inWords(hit)} in the picture`);
  if (dot) {
    dot.replaceWith(button);
    button.append(dot);
  }
}

function wordsFor(hit: Hit | undefined): string {
  return hit ? inWords(hit) : HINT;
}

function inWords(hit: Hit): string {
  return `${hit.accession} ${hit.name}, ${hit.start}–${hit.end}`;
}
