// Dots for places. Those that would lie on one another are drawn as one, and their pixels are set one by one: a browser takes some hundred times
// longer to fill so many circles.

import type { ZoomTransform } from "d3-zoom";

import type { Places } from "./places";

// In pixels of the page.
const RASTER = 3;
const RADIUS_MIN = 2;
const RADIUS_MAX = 7;

// A dot grows by this with each doubling of its samples.
const GROWTH = 0.5;

const STEPS = Math.round((RADIUS_MAX - RADIUS_MIN) / GROWTH) + 1;

const OPACITY = 0.75;

/** Places on a map of some size, of which a part is shown. */
export class Dots {
  readonly #places: Places;
  readonly #canvas = document.createElement("canvas");
  readonly #pen = this.#canvas.getContext("2d");
  #image: ImageData | undefined;
  #pixels = new Uint32Array(0);
  #stamps: Stamp[] = [];
  /** The samples in each square of the raster. */
  #sums = new Float64Array(0);
  /** The squares that have any. */
  #filled = new Int32Array(0);
  #across = 0;
  #ratio = 1;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Takes a size in pixels of the page, each of which has some pixels of the screen in a row. */
  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#image = this.#pen?.createImageData(this.#canvas.width, this.#canvas.height);
    this.#pixels = new Uint32Array(this.#image?.data.buffer ?? new ArrayBuffer(0));
    this.#stamps = Array.from({ length: STEPS }, (_, step) => stamp((RADIUS_MIN + step * GROWTH) * ratio));
    this.#across = Math.ceil(width / RASTER) + 1;
    const numSquares = this.#across * (Math.ceil(height / RASTER) + 1);
    this.#sums = new Float64Array(numSquares);
    this.#filled = new Int32Array(numSquares);
  }

  /** Draws in a colour of three bytes. */
  draw(pen: CanvasRenderingContext2D, transform: ZoomTransform, colour: number): void {
    if (!this.#pen || !this.#image) {
      return;
    }
    this.#pixels.fill(0);
    const [across, side] = [this.#across, RASTER * this.#ratio];
    const numFilled = this.#sumUp(transform);
    for (let index = 0; index < numFilled; index++) {
      const square = this.#filled[index] ?? 0;
      const step = Math.min(STEPS - 1, Math.round(Math.log2(this.#sums[square] ?? 1)));
      const [x, y] = [((square % across) + 0.5) * side, (Math.floor(square / across) + 0.5) * side];
      this.#press(this.#stamps[step], Math.round(x), Math.round(y), colour);
    }
    this.#pen.putImageData(this.#image, 0, 0);
    pen.globalAlpha = OPACITY;
    pen.drawImage(this.#canvas, 0, 0, this.#canvas.width / this.#ratio, this.#canvas.height / this.#ratio);
    pen.globalAlpha = 1;
  }

  // Sets the pixels of a dot, whose edges do not shine through those of others.
  #press(stamp: Stamp | undefined, middle: number, centre: number, colour: number): void {
    if (!stamp) {
      return;
    }
    const [width, height, pixels] = [this.#canvas.width, this.#canvas.height, this.#pixels];
    for (let row = -stamp.reach; row <= stamp.reach; row++) {
      const y = centre + row;
      if (y < 0 || y >= height) {
        continue;
      }
      for (let column = -stamp.reach; column <= stamp.reach; column++) {
        const x = middle + column;
        const opacity = stamp.opacities[(row + stamp.reach) * (2 * stamp.reach + 1) + column + stamp.reach] ?? 0;
        const at = y * width + x;
        if (opacity > 0 && x >= 0 && x < width && opacity > (pixels[at] ?? 0) >>> 24) {
          pixels[at] = (opacity << 24) | colour;
        }
      }
    }
  }

  // Puts the places that are shown into the squares of the raster, and returns how many of these are filled.
  #sumUp({ k, x, y }: ZoomTransform): number {
    const { length, longitudes, latitudes, weights } = this.#places;
    const [across, sums, filled] = [this.#across, this.#sums, this.#filled];
    const scale = (k * this.#canvas.width) / this.#ratio / 360;
    let numFilled = 0;
    sums.fill(0);
    for (let index = 0; index < length; index++) {
      const column = Math.floor((((longitudes[index] ?? 0) + 180) * scale + x) / RASTER);
      const row = Math.floor(((90 - (latitudes[index] ?? 0)) * scale + y) / RASTER);
      const square = row * across + column;
      if (column >= 0 && row >= 0 && column < across && square < sums.length) {
        if (sums[square] === 0) {
          filled[numFilled++] = square;
        }
        sums[square] = (sums[square] ?? 0) + (weights[index] ?? 0);
      }
    }
    return numFilled;
  }
}

/** How opaque the pixels of a dot are, from 0 to 255, row by row. */
interface Stamp {
  /** The pixels on each side of the one in the middle. */
  reach: number;
  opacities: Uint8Array;
}

function stamp(radius: number): Stamp {
  const reach = Math.ceil(radius);
  const side = 2 * reach + 1;
  const opacity = (_: unknown, index: number): number => {
    const distance = Math.hypot((index % side) - reach, Math.floor(index / side) - reach);
    return Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - distance)));
  };
  return { reach, opacities: Uint8Array.from({ length: side * side }, opacity) };
}
