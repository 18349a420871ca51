// The map: draws itself once a frame at most, follows the width of its figure, and can be zoomed and dragged.

import { select } from "d3-selection";
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity, zoomTransform } from "d3-zoom";

import { Dots } from "./dots";
import { type Land, landOf } from "./land";
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

export class MapPicture {
  readonly canvas = document.createElement("canvas");
  /** What is marked on the map. */
  #box: Box | undefined;
  /** While a box is drawn, dragging does not move the map. */
  #isSelecting = false;
  readonly #pen = this.canvas.getContext("2d");
  readonly #dots: Dots;
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  #land: Land | undefined;
  #width = 0;
  #isWaiting = false;

  constructor(places: Places, label: string) {
    this.#dots = new Dots(places);
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
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

  zoomBy(factor: number, at?: [number, number]): void {
    this.#zoom.scaleBy(select(this.canvas), factor, at);
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
    pen.lineWidth = 1 / k;
    pen.strokeStyle = colour("line");
    pen.stroke(land.lines);
    pen.fillStyle = colour("land");
    pen.fill(land.area);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colour("accent");
    this.#dots.draw(pen, transform, bytesOf(`${pen.fillStyle}`));
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
