// The domains of a protein: a domain selected in the picture or the table is marked in both. The
// picture can be widened.

import { button } from "./buttons";

const WIDEST = 16;

for (const figure of document.querySelectorAll<HTMLElement>("figure[data-plot=domains]")) {
  const domains = [...figure.querySelectorAll<SVGAElement>("svg a")];
  const select = linkRows(domains);
  showZoom(figure);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      select(undefined);
    }
  });
}

/** Links domains to their rows of the table. */
function linkRows(domains: SVGAElement[]): (domain: SVGAElement | undefined) => void {
  const rowOf = (domain: SVGAElement): HTMLElement | null => document.getElementById(domain.href.baseVal.slice(1));
  const select = (selected: SVGAElement | undefined): void => {
    for (const domain of domains) {
      const isSelected = domain === selected;
      domain.classList.toggle("marked", isSelected);
      rowOf(domain)?.classList.toggle("selected", isSelected);
    }
    selected?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  for (const domain of domains) {
    const row = rowOf(domain);
    domain.addEventListener("click", (event) => {
      event.preventDefault();
      select(domain);
      row?.scrollIntoView({ block: "nearest" });
    });
    row?.addEventListener("click", () => select(domain));
    row?.addEventListener("focusin", () => select(domain));
    addMarkButton(row, domain.querySelector("title")?.textContent ?? "");
  }
  return select;
}

// Turns the coloured dot of a domain into a button.
function addMarkButton(row: HTMLElement | null, title: string): void {
  const dot = row?.querySelector(".dot");
  const mark = button("", () => undefined, `Mark ${title} in the picture`);
  mark.className = "mark";
  if (dot) {
    dot.replaceWith(mark);
    mark.append(dot);
  }
}

function showZoom(figure: HTMLElement): void {
  const picture = figure.querySelector("svg");
  let factor = 1;
  const show = (wanted: number): void => {
    factor = Math.min(WIDEST, Math.max(1, wanted));
    picture?.setAttribute("width", `${100 * factor}%`);
    figure.querySelector(".marked")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  figure.nextElementSibling?.append(
    button("+", () => show(factor * 2), "Zoom in"),
    button("−", () => show(factor / 2), "Zoom out"),
    button("Whole sequence", () => show(1)),
  );
}
