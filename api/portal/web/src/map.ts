// The map of samples, with a box to select some of them. A table below lists the same samples.

import { filterOf, showBox } from "./map/box";
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
  const filters = document.getElementById(figure.dataset["form"] ?? "");
  const places = await fetchPlaces(figure.dataset["places"] ?? "");
  // A selected box is shown even if it is empty.
  if (!places || (places.length === 0 && !filterOf(filters)?.value)) {
    const sentence = document.createElement("p");
    sentence.className = "note";
    sentence.textContent = places ? `No places to show on a map.${leftOut(places)}` : "The places of these samples could not be loaded.";
    figure.replaceChildren(sentence);
    return;
  }
  canvas.setAttribute("aria-label", `${canvas.getAttribute("aria-label") ?? ""}: ${describe(places)}`);
  const picture = new MapPicture(canvas, places);
  picture.follow(figure);
  caption.replaceChildren(`${describe(places)}.${leftOut(places)} `, legendOf(places, picture.most));
  showMapTools(tools, picture);
  if (filters instanceof HTMLFormElement) {
    const [box, list] = showBox(part(".box"), tools, picture, filters);
    picture.fit(box);
    showTips(picture, part(".tip"), places.names, list);
  }
}

function describe({ numSamples, length }: Places): string {
  return `${count(numSamples, "sample")} at ${count(length, "place")}`;
}

function leftOut({ numUnplaced, numNowhere }: Places): string {
  const unplaced = `${count(numUnplaced, "sample")} without coordinates`;
  const nowhere = numUnplaced > 0 ? `, ${numNowhere.toLocaleString("en")} with impossible ones` : `${count(numNowhere, "sample")} with impossible coordinates`;
  const parts = `${numUnplaced > 0 ? unplaced : ""}${numNowhere > 0 ? nowhere : ""}`;
  return parts ? ` Left out: ${parts}.` : "";
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
