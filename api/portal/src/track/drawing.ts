// Draws domains with the elements of Nightingale. These are used by name: bundlers leave out what is imported for its effects alone.

import NightingaleInterproTrack from "@nightingale-elements/nightingale-interpro-track";
import NightingaleManager from "@nightingale-elements/nightingale-manager";
import NightingaleNavigation from "@nightingale-elements/nightingale-navigation";

import { type Hit, lanes } from "./hits";

export interface Picture {
  manager: HTMLElement;
  navigation: HTMLElement;
  /** What a hit is drawn in. */
  laneOf(hit: Hit): HTMLElement;
}

const NAVIGATION_HEIGHT = 40;

const WIDTH_MIN = 100;

define("nightingale-manager", NightingaleManager);
define("nightingale-navigation", NightingaleNavigation);
define("nightingale-interpro-track", NightingaleInterproTrack);

export function draw(figure: HTMLElement, hits: Hit[], length: number): Picture {
  const manager = document.createElement("nightingale-manager");
  // Without a length and a width that has room for margins, the elements draw rectangles of negative width first.
  const common = { length: `${length}`, "min-width": `${WIDTH_MIN}`, "margin-color": "transparent" };
  const navigation = element("nightingale-navigation", {
    ...common,
    height: `${NAVIGATION_HEIGHT}`,
    "ruler-padding": "0",
    "show-highlight": "",
  });
  manager.setAttribute("length", `${length}`);
  manager.append(navigation);
  const laneOf = new Map<Hit, HTMLElement>();
  for (const lane of lanes(hits)) {
    // The wheel scrolls the page unless a key is held.
    const track = element("nightingale-interpro-track", {
      ...common,
      label: ".feature.name",
      "show-label": "",
      "use-ctrl-to-zoom": "",
    }) as NightingaleInterproTrack;
    manager.append(track);
    track.data = lane.map((hit) => ({
      accession: hit.id,
      name: hit.name || hit.accession,
      start: hit.start,
      end: hit.end,
      color: `var(--colour-${hit.colour})`,
      shape: "roundRectangle",
    }));
    for (const hit of lane) {
      laneOf.set(hit, track);
    }
  }
  figure.prepend(manager);
  return { manager, navigation, laneOf: (hit) => laneOf.get(hit) ?? manager };
}

function element(name: string, attributes: Record<string, string>): HTMLElement {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  return element;
}

function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) {
    customElements.define(name, element);
  }
}
