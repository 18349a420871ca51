// Where samples were taken: a map, and a box to select some of them. The list below has the samples as a table.

import { showBox } from "./map/box";
import { legendOf } from "./map/legend";
import { MapPicture } from "./map/picture";
import { fetchPlaces, type Places } from "./map/places";
import { showTips } from "./map/tip";
import { showMapTools } from "./map/tools";

for (const figure of document.querySelectorAll<HTMLElement>("figure.map[data-places]")) {
  void show(figure);
}

async function show(figure: HTMLElement): Promise<void> {
  const part = <Type extends Element>(selector: string): Type => figure.querySelector<Type>(selector) as Type;
  const [canvas, caption, tools] = [part<HTMLCanvasElement>("canvas"), part("figcaption"), part<HTMLElement>(".tools")];
  const places = await fetchPlaces(figure.dataset["places"] ?? "");
  if (!places) {
    caption.textContent = "The places of these samples cannot be had now.";
    return;
  }
  canvas.setAttribute("aria-label", `${canvas.getAttribute("aria-label") ?? ""}: ${inWords(places)}`);
  caption.replaceChildren(`${inWords(places)}.${leftOut(places)} `, legendOf(places));
  const picture = new MapPicture(canvas, places);
  picture.follow(figure);
  showMapTools(tools, picture);
  const filters = document.getElementById(figure.dataset["form"] ?? "");
  if (filters instanceof HTMLFormElement) {
    const [box, list] = showBox(part(".box"), tools, picture, filters);
    picture.fit(box);
    showTips(picture, part(".tip"), places.names, list);
  }
}

function inWords({ numSamples, length }: Places): string {
  return `${count(numSamples, "sample")} at ${count(length, "place")}`;
}

function leftOut({ numUnplaced, numNowhere }: Places): string {
  const parts = [
    ...(numUnplaced > 0 ? [`${count(numUnplaced, "sample")} without coordinates`] : []),
    ...(numNowhere > 0 ? [`${count(numNowhere, "sample")} with impossible ones`] : []),
  ];
  return parts.length > 0 ? ` Left out: ${parts.join(", ")}.` : "";
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
