// The map: drawn at most once per frame, as wide as its figure, with zooming and dragging.

import { select } from "d3-selection";
import { type ZoomBehavior, ZoomTransform, zoom, zoomIdentity, zoomTransform } from "d3-zoom";

import { Dots, type Found } from "./dots";
import { drawGraticule } from "./graticule";
import { type Land, coarseLand, drawLand, fetchFineLand } from "./land";
import type { Box, Places } from "./places";

const SCALE_MAX = 64;

// From this scale on, the corners of the coarse outline are visible.
const SCALE_FINE = 3;

// Movement per click of a button, as a share of the width.
const STEP = 0.25;

// Margin around a fitted box, as a share of it, and the minimum degrees shown.
const MARGIN = 0.05;
const DEGREES_MIN = 20;

// Minimum size of the mark of a box, so that it does not hide its dots, in pixels.
const MARK_MIN = 20;

export class MapPicture {
  readonly canvas: HTMLCanvasElement;
  readonly #places: Places;
  /** The box marked on the map. */
  #box: Box | undefined;
  /** Set while dragging draws a box instead of moving the map. */
  #isSelecting = false;
  readonly #pen: CanvasRenderingContext2D | null;
  readonly #dots: Dots;
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  #land = coarseLand;
  #outline: Path2D | undefined;
  #isFine = false;
  #width = 0;
  /** The scale at which the fitted box fills the map. */
  #scaleFitted = 1;
  #isWaiting = false;

  constructor(canvas: HTMLCanvasElement, places: Places) {
    this.canvas = canvas;
    this.#pen = canvas.getContext("2d");
    this.#places = places;
    this.#dots = new Dots(places);
    this.#zoom = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([1, SCALE_MAX])
      .duration(0)
      .filter((event: MouseEvent | WheelEvent) => this.#mayMove(event))
      .on("zoom", () => this.#moved());
    select(this.canvas).call(this.#zoom);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#drawSoon());
  }

  /** Follows the width of an element. */
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

  /** Zooms in the middle. If no dot would remain visible, moves to the nearest one. */
  zoomBy(factor: number): void {
    const map = select(this.canvas);
    this.#zoom.scaleBy(map, factor);
    const nearest = this.#nearestIfNoneIsShown();
    if (factor > 1 && nearest) {
      this.#zoom.translateTo(map, ...nearest);
    }
  }

  /** Shows a box, or all places. */
  fit({ west, east, south, north } = this.#around()): void {
    const scale = this.#width / 360;
    const across = west <= east ? east - west : 360;
    const width = Math.max(across * (1 + 2 * MARGIN), (north - south) * 2 * (1 + 2 * MARGIN), DEGREES_MIN);
    const k = Math.min(SCALE_MAX, Math.max(1, 360 / width));
    this.#scaleFitted = k;
    const [x, y] = [((west + east) / 2 + 180) * scale, (90 - (south + north) / 2) * scale];
    const wanted = new ZoomTransform(k, this.#width / 2 - k * x, this.#width / 4 - k * y);
    const within = (shift: number, size: number): number => Math.min(0, Math.max(size * (1 - k), shift));
    this.#zoom.transform(select(this.canvas), new ZoomTransform(k, within(wanted.x, this.#width), within(wanted.y, this.#width / 2)));
  }

  /** The samples of the largest dot that is drawn. */
  get most(): number {
    return this.#dots.most;
  }

  /** Returns the dot at a point of the canvas. */
  at(x: number, y: number): Found | undefined {
    return this.#dots.at(x, y, this.#transform);
  }

  /** Moves by steps, to the right and down. */
  moveBy(right: number, down: number): void {
    const step = (STEP * this.#width) / this.#transform.k;
    this.#zoom.translateBy(select(this.canvas), -right * step, -down * step);
  }

  showAll(): void {
    this.#scaleFitted = 1;
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

  // In coordinates of the map without zoom.
  #nearestIfNoneIsShown(): [number, number] | undefined {
    const { longitudes, latitudes, length } = this.#places;
    const scale = this.#width / 360;
    const [middle, centre] = this.#transform.invert([this.#width / 2, this.#width / 4]);
    let nearest: [number, number] | undefined;
    let least = Infinity;
    for (let index = 0; index < length; index++) {
      const [x, y] = [((longitudes[index] ?? 0) + 180) * scale, (90 - (latitudes[index] ?? 0)) * scale];
      const distance = Math.max(Math.abs(x - middle) / 2, Math.abs(y - centre));
      if (distance < least) {
        [nearest, least] = [[x, y], distance];
      }
    }
    return least * this.#transform.k < this.#width / 4 ? undefined : nearest;
  }

  get #transform(): ZoomTransform {
    return zoomTransform(this.canvas);
  }

  #mayMove(event: MouseEvent | WheelEvent): boolean {
    if (event instanceof WheelEvent) {
      // If the fitted box fills the map, zooming out scrolls the page instead.
      return event.ctrlKey || event.deltaY < 0 || this.#isZoomed;
    }
    return !this.#isSelecting && !event.shiftKey && !event.ctrlKey && !event.button;
  }

  get #isZoomed(): boolean {
    return this.#transform.k > this.#scaleFitted;
  }

  #moved(): void {
    this.canvas.classList.toggle("zoomed", this.#isZoomed);
    if (this.#transform.k >= SCALE_FINE && !this.#isFine) {
      this.#isFine = true;
      void fetchFineLand().then((land) => this.#takeLand(land));
    }
    this.#drawSoon();
  }

  #takeLand(land: Land | undefined): void {
    this.#land = land ?? this.#land;
    this.#outline = drawLand(this.#land, this.#width);
    this.#drawSoon();
  }

  #resize(width: number): void {
    const { k, x, y } = this.#transform;
    const growth = this.#width > 0 ? width / this.#width : 1;
    this.#width = width;
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = (width / 2) * devicePixelRatio;
    this.#outline = drawLand(this.#land, width);
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
    const [pen, outline, width] = [this.#pen, this.#outline, this.#width];
    if (!pen || !outline) {
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
    pen.fill(outline);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawGraticule(pen, transform, width, colour("line"), colour("soft"));
    const colours = this.#places.names.map((_, biome) => {
      pen.fillStyle = colour(`biome-${biome}`);
      return bytesOf(`${pen.fillStyle}`);
    });
    this.#dots.draw(pen, transform, colours);
    this.#drawBox(pen, transform, colour("accent"));
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
    const size = (degrees: number): number => Math.max(MARK_MIN, degrees * scale * transform.k);
    for (const [west, east] of ranges) {
      const [x, y] = transform.apply([((west + east) / 2 + 180) * scale, (90 - (box.south + box.north) / 2) * scale]);
      const [across, down] = [size(east - west), size(box.north - box.south)];
      pen.globalAlpha = 1;
      pen.strokeRect(x - across / 2, y - down / 2, across, down);
      pen.globalAlpha = 0.1;
      pen.fillRect(x - across / 2, y - down / 2, across, down);
    }
    pen.globalAlpha = 1;
  }
}

// Canvases write colours as `#rrggbb` but store their bytes in reverse order.
function bytesOf(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  return ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16);
}
