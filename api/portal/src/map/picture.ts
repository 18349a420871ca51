// The map: draws itself once a frame at most, follows the width of its figure, and can be zoomed and dragged.

import { select } from "d3-selection";
import { type ZoomBehavior, ZoomTransform, zoom, zoomIdentity, zoomTransform } from "d3-zoom";

import { Dots, type Found } from "./dots";
import { drawGraticule } from "./graticule";
import { landOf } from "./land";
import type { Places } from "./places";

/** A box of coordinates, in degrees. Where its west is further east than its east, it crosses the date line. */
export interface Box {
  west: number;
  east: number;
  south: number;
  north: number;
}

const SCALE_MAX = 64;

// How far one step of a button moves the map, as a share of its width.
const STEP = 0.25;

// What is fitted into the map has so much of it beside it, and the map shows so many degrees at least.
const MARGIN = 0.05;
const DEGREES_MIN = 20;

export class MapPicture {
  readonly canvas: HTMLCanvasElement;
  readonly #places: Places;
  /** What is marked on the map. */
  #box: Box | undefined;
  /** While a box is drawn, dragging does not move the map. */
  #isSelecting = false;
  readonly #pen: CanvasRenderingContext2D | null;
  readonly #dots: Dots;
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  #land: Path2D | undefined;
  #width = 0;
  #isWaiting = false;

  constructor(canvas: HTMLCanvasElement, places: Places) {
    this.canvas = canvas;
    this.#pen = canvas.getContext("2d");
    this.#places = places;
    this.#dots = new Dots(places);
    this.#zoom = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([1, SCALE_MAX])
      .filter((event: MouseEvent | WheelEvent) => this.#mayMove(event))
      .on("zoom", () => this.#moved());
    // Two clicks zoom without a movement in between, and one finger scrolls the page while there is nothing to move.
    select(this.canvas)
      .call(this.#zoom)
      .on("dblclick.zoom", (event: MouseEvent) => this.zoomBy(2, [event.offsetX, event.offsetY]));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#drawSoon());
  }

  /** Takes the width of an element from now on. */
  follow(element: HTMLElement): void {
    const resize = (): void => {
      const width = Math.round(this.canvas.clientWidth);
      if (width > 0 && width !== this.#width) {
        this.#resize(width);
      }
    };
    resize();
    new ResizeObserver(resize).observe(element);
  }

  set box(box: Box | undefined) {
    this.#box = box;
    this.#drawSoon();
  }

  set isSelecting(isSelecting: boolean) {
    this.#isSelecting = isSelecting;
    this.canvas.classList.toggle("selecting", isSelecting);
  }

  /** Zooms around a point. Without one that is the middle, or the dot nearest to it if none would be left. */
  zoomBy(factor: number, at: [number, number] = this.#nearestToMiddle(factor)): void {
    this.#zoom.scaleBy(select(this.canvas), factor, at);
  }

  /** Shows a box, or all places. */
  fit(box = this.#around()): void {
    const scale = this.#width / 360;
    const width = Math.max((box.east - box.west) * (1 + 2 * MARGIN), (box.north - box.south) * 2 * (1 + 2 * MARGIN), DEGREES_MIN);
    const k = Math.min(SCALE_MAX, Math.max(1, 360 / width));
    const [x, y] = [((box.west + box.east) / 2 + 180) * scale, (90 - (box.south + box.north) / 2) * scale];
    const wanted = new ZoomTransform(k, this.#width / 2 - k * x, this.#width / 4 - k * y);
    const within = (shift: number, size: number): number => Math.min(0, Math.max(size * (1 - k), shift));
    this.#zoom.transform(select(this.canvas), new ZoomTransform(k, within(wanted.x, this.#width), within(wanted.y, this.#width / 2)));
  }

  /** Returns what is at a point of the canvas. */
  at(x: number, y: number): Found | undefined {
    return this.#dots.at(x, y, this.#transform);
  }

  /** Moves by steps, to the right and down. */
  moveBy(right: number, down: number): void {
    const step = (STEP * this.#width) / this.#transform.k;
    this.#zoom.translateBy(select(this.canvas), -right * step, -down * step);
  }

  showAll(): void {
    this.#zoom.transform(select(this.canvas), zoomIdentity);
  }

  /** Returns the longitude and latitude at a point of the canvas. */
  coordinatesAt(x: number, y: number): [number, number] {
    const [left, top] = this.#transform.invert([x, y]);
    const within = (value: number, max: number): number => Math.min(max, Math.max(-max, value));
    return [within((left / this.#width) * 360 - 180, 180), within(90 - (top / this.#width) * 360, 90)];
  }

  #around(): Box {
    const { longitudes, latitudes, length } = this.#places;
    if (length === 0) {
      return { west: -180, east: 180, south: -90, north: 90 };
    }
    const ends = (degrees: Float64Array): [number, number] =>
      degrees.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity] as [number, number]);
    const [[west, east], [south, north]] = [ends(longitudes), ends(latitudes)];
    return { west, east, south, north };
  }

  #nearestToMiddle(factor: number): [number, number] {
    const middle: [number, number] = [this.#width / 2, this.#width / 4];
    const { longitudes, latitudes, length } = this.#places;
    let [nearest, least] = [middle, Infinity];
    for (let index = 0; index < length; index++) {
      const [x, y] = this.#transform.apply([
        (((longitudes[index] ?? 0) + 180) * this.#width) / 360,
        ((90 - (latitudes[index] ?? 0)) * this.#width) / 360,
      ]);
      const distance = Math.max(Math.abs(x - middle[0]) / 2, Math.abs(y - middle[1]));
      if (distance < least) {
        [nearest, least] = [[x, y], distance];
      }
    }
    return least * factor < this.#width / 4 ? middle : nearest;
  }

  get #transform(): ZoomTransform {
    return zoomTransform(this.canvas);
  }

  #mayMove(event: MouseEvent | WheelEvent): boolean {
    if (event instanceof WheelEvent) {
      // Where it cannot get smaller, the wheel scrolls the page.
      return event.ctrlKey || event.deltaY < 0 || this.#transform.k > 1;
    }
    return !this.#isSelecting && !event.ctrlKey && !event.button;
  }

  #moved(): void {
    this.canvas.classList.toggle("zoomed", this.#transform.k > 1);
    this.#drawSoon();
  }

  #resize(width: number): void {
    const { k, x, y } = this.#transform;
    const growth = this.#width > 0 ? width / this.#width : 1;
    this.#width = width;
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = (width / 2) * devicePixelRatio;
    this.#land = landOf(width);
    this.#dots.resize(width, Math.floor(width / 2), devicePixelRatio);
    const all: [[number, number], [number, number]] = [
      [0, 0],
      [width, width / 2],
    ];
    this.#zoom.extent(all).translateExtent(all);
    this.#zoom.transform(select(this.canvas), zoomIdentity.translate(x * growth, y * growth).scale(k));
    this.#draw();
  }

  #drawSoon(): void {
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      requestAnimationFrame(() => this.#draw());
    }
  }

  #draw(): void {
    this.#isWaiting = false;
    const [pen, land, width] = [this.#pen, this.#land, this.#width];
    if (!pen || !land) {
      return;
    }
    const style = getComputedStyle(this.canvas);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`);
    const transform = this.#transform;
    const { k, x, y } = transform;
    const ratio = devicePixelRatio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colour("panel");
    pen.fillRect(0, 0, width, width / 2);
    pen.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
    pen.fillStyle = colour("land");
    pen.fill(land);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawGraticule(pen, transform, width, colour("line"), colour("soft"));
    const colours = this.#places.names.map((_, biome) => {
      pen.fillStyle = colour(`biome-${biome}`);
      return bytesOf(`${pen.fillStyle}`);
    });
    this.#dots.draw(pen, transform, colours);
    this.#drawBox(pen, transform, colour("problem"));
  }

  #drawBox(pen: CanvasRenderingContext2D, transform: ZoomTransform, colour: string): void {
    const box = this.#box;
    if (!box) {
      return;
    }
    const scale = this.#width / 360;
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    pen.lineWidth = 2;
    const ranges = box.west <= box.east ? [[box.west, box.east] as const] : [[box.west, 180] as const, [-180, box.east] as const];
    for (const [west, east] of ranges) {
      const [left, top] = transform.apply([(west + 180) * scale, (90 - box.north) * scale]);
      const [right, bottom] = transform.apply([(east + 180) * scale, (90 - box.south) * scale]);
      pen.globalAlpha = 1;
      pen.strokeRect(left, top, right - left, bottom - top);
      pen.globalAlpha = 0.1;
      pen.fillRect(left, top, right - left, bottom - top);
    }
    pen.globalAlpha = 1;
  }
}

// Canvases write colours as `#rrggbb`, and keep their bytes the other way round.
function bytesOf(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  return ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16);
}
