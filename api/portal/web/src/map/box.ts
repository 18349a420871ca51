// A box on the map that selects samples, dragged or typed as four coordinates. It is sent as a
// filter of the list.

import { button } from "../buttons";
import type { MapPicture } from "./picture";
import type { Box } from "./places";

type Side = keyof Box;

// Sides with labels and extreme values, in the order of the filter.
const SIDES: [Side, string, number][] = [
  ["west", "West (°)", -180],
  ["south", "South (°)", -90],
  ["east", "East (°)", 180],
  ["north", "North (°)", 90],
];

// The field of the filter.
const FILTER = "bbox";

// Decimal places of a drawn box (about a hundred metres), and parts of a degree to which a clicked
// box is rounded (about ten metres).
const PLACES = 3;
const PARTS = 10_000;

// A shorter movement is a click, in pixels.
const DRAG_MIN = 4;

/** Shows the tools of a box. Returns the current box and a function that lists another one. */
export function showBox(
  element: HTMLFormElement,
  tools: HTMLElement,
  picture: MapPicture,
  filters: HTMLFormElement,
): [Box | undefined, (box: Box) => void] {
  const form = new BoxForm(element, filters, (box) => (picture.box = box));
  const toggle = button("Select a box (or Shift and drag)", () => setSelecting(!isSelecting));
  let isSelecting = false;
  const setSelecting = (wanted: boolean): void => {
    isSelecting = wanted;
    toggle.setAttribute("aria-pressed", `${wanted}`);
    picture.isSelecting = wanted;
  };
  setSelecting(false);
  tools.append(toggle);
  drag(picture.canvas, ({ shiftKey }) => isSelecting || shiftKey, (from, to, isDone) => {
    const [[x, y], [otherX, otherY]] = [picture.coordinatesAt(...from), picture.coordinatesAt(...to)];
    form.fill({ west: Math.min(x, otherX), east: Math.max(x, otherX), south: Math.min(y, otherY), north: Math.max(y, otherY) });
    if (isDone) {
      setSelecting(false);
      form.focus();
    }
  });
  return [form.box, (box) => form.submit(around(box))];
}

/** Returns the field of the box in a form of filters. */
export function filterOf(filters: HTMLElement | null): HTMLInputElement | undefined {
  const found = filters instanceof HTMLFormElement ? filters.elements.namedItem(FILTER) : undefined;
  return found instanceof HTMLInputElement ? found : undefined;
}

function around({ west, south, east, north }: Box): Box {
  const [down, up] = [(degrees: number) => Math.floor(degrees * PARTS) / PARTS, (degrees: number) => Math.ceil(degrees * PARTS) / PARTS];
  return { west: down(west), south: down(south), east: up(east), north: up(north) };
}

type Point = [number, number];

function drag(canvas: HTMLCanvasElement, isOn: (event: PointerEvent) => boolean, report: (from: Point, to: Point, isDone: boolean) => void): void {
  let from: Point | undefined;
  let isDragged = false;
  const at = (event: PointerEvent): Point => [event.offsetX, event.offsetY];
  const isFar = ([x, y]: Point, [otherX, otherY]: Point): boolean => Math.hypot(otherX - x, otherY - y) >= DRAG_MIN;
  canvas.addEventListener("pointerdown", (event) => {
    if (isOn(event) && event.isPrimary && event.button === 0) {
      from = at(event);
      canvas.setPointerCapture(event.pointerId);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (from && isFar(from, at(event))) {
      report(from, at(event), false);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    isDragged = from !== undefined && isFar(from, at(event));
    if (from && isDragged) {
      report(from, at(event), true);
    }
    from = undefined;
  });
  // Browsers send a click after a drag; it must not select a dot.
  canvas.addEventListener("click", (event) => {
    if (isDragged) {
      event.preventDefault();
    }
    isDragged = false;
  });
  canvas.addEventListener("pointercancel", () => (from = undefined));
}

/** The form of the four coordinates, initially those of the filters. */
class BoxForm {
  readonly #element: HTMLFormElement;
  readonly #inputs = new Map<Side, HTMLInputElement>();
  readonly #filters: HTMLFormElement;
  readonly #show: (box: Box | undefined) => void;
  readonly #apply = document.createElement("button");
  readonly #problem = document.createElement("p");

  constructor(element: HTMLFormElement, filters: HTMLFormElement, show: (box: Box | undefined) => void) {
    this.#filters = filters;
    this.#show = show;
    this.#element = element;
    element.noValidate = true;
    const given = (filterOf(this.#filters)?.value ?? "").split(",").map((text) => text.trim());
    SIDES.forEach(([side, label, open], place) => this.#element.append(this.#field(side, label, Math.abs(open), given[place] ?? "")));
    this.#apply.textContent = "Show samples in the box";
    this.#problem.className = "problem";
    this.#problem.setAttribute("role", "alert");
    this.#problem.hidden = true;
    this.#element.append(this.#apply, this.#problem);
    if (filterOf(this.#filters)?.value) {
      this.#element.append(button("Remove the box", () => this.submit(undefined)));
    }
    this.#element.addEventListener("input", () => this.#show(this.#read()));
    this.#element.addEventListener("submit", (event) => {
      event.preventDefault();
      const box = this.#read();
      this.#problem.hidden = box !== undefined;
      this.#problem.textContent = box
        ? ""
        : "Each side needs a number: longitudes from −180 to 180, latitudes from −90 to 90, south below north.";
      if (box) {
        this.submit(box);
      }
    });
    this.#show(this.#read());
  }

  get box(): Box | undefined {
    return this.#read();
  }

  fill(box: Box): void {
    for (const [side, input] of this.#inputs) {
      input.value = `${Number(box[side].toFixed(PLACES))}`;
    }
    this.#show(box);
  }

  focus(): void {
    this.#apply.focus({ preventScroll: true });
  }

  #field(side: Side, label: string, max: number, value: string): HTMLElement {
    const field = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "number", min: `${-max}`, max: `${max}`, step: "any", value });
    field.append(`${label} `, input);
    this.#inputs.set(side, input);
    return field;
  }

  // A missing side is that of the Earth. A box whose west is further east than its east crosses the
  // date line.
  #read(): Box | undefined {
    const values = [...this.#inputs.values()];
    if (values.every((input) => input.value === "") || values.some((input) => !input.validity.valid)) {
      return undefined;
    }
    const [west = 0, south = 0, east = 0, north = 0] = SIDES.map(([side, , open]) => {
      const text = this.#inputs.get(side)?.value ?? "";
      return text === "" ? open : Number(text);
    });
    return south <= north ? { west, south, east, north } : undefined;
  }

  submit(box: Box | undefined): void {
    const input = filterOf(this.#filters);
    if (input) {
      input.value = box ? SIDES.map(([side]) => box[side]).join() : "";
    }
    this.#filters.requestSubmit();
  }
}
