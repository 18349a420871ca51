// Where samples were taken: a map, and a box to select some of them. The list below has the samples as a table.

import { showBox } from "./map/box";
import { MapPicture } from "./map/picture";
import { fetchPlaces } from "./map/places";
import { showMapTools } from "./map/tools";

for (const figure of document.querySelectorAll<HTMLElement>("figure.map[data-places]")) {
  void show(figure);
}

async function show(figure: HTMLElement): Promise<void> {
  const places = await fetchPlaces(figure.dataset["places"] ?? "");
  const form = document.getElementById(figure.dataset["form"] ?? "");
  if (!places || places.length === 0 || !(form instanceof HTMLFormElement)) {
    return;
  }
  const label = figure.dataset["label"] ?? "";
  figure.setAttribute("aria-label", label);
  figure.hidden = false;
  const picture = new MapPicture(places, `${label}: ${inWords(places.numSamples, places.length)}`);
  const caption = document.createElement("figcaption");
  const left = places.numNowhere > 0 ? ` Left out: ${count(places.numNowhere, "sample")} with impossible coordinates.` : "";
  caption.textContent = `${inWords(places.numSamples, places.length)}.${left}`;
  figure.append(picture.canvas, caption);
  picture.follow(figure);
  const tools = showMapTools(figure, picture);
  showBox(figure, tools, picture, form);
}

function inWords(numSamples: number, numPlaces: number): string {
  return `${count(numSamples, "sample")} at ${count(numPlaces, "place")}`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
