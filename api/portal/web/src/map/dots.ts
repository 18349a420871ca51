// Dots for places. Overlapping dots are merged, and their pixels are set one by one: filling
// circles takes a browser about a hundred times longer.

import type { ZoomTransform } from "d3-zoom";

import type { Box, Places } from "./places";

/** The samples at a dot. */
export interface Found {
  numSamples: number;
  biome: number;
  /** The smallest box around its places. */
  box: Box;
}

// In pixels of the page.
const RASTER = 3;
const RADIUS_MIN = 3;
const RADIUS_MAX = 7;

// Growth of the radius with each doubling of the samples.
const GROWTH = 0.5;

// Distance from a dot at which a click still hits it, in pixels.
const BESIDE = 3;

const STEPS = Math.round((RADIUS_MAX - RADIUS_MIN) / GROWTH) + 1;

// The shapes of the biomes, by their colours: distances from the middle at which a shape of radius 1
// has its edge, with areas like that of the circle.
const SHAPES: ((x: number, y: number) => number)[] = [
  Math.hypot,
  (x, y) => Math.max(Math.abs(x), Math.abs(y)) / 0.89,
  (x, y) => Math.max(y, 0.87 * Math.abs(x) - y / 2) / 0.78,
  (x, y) => (Math.abs(x) + Math.abs(y)) / 1.25,
  (x, y) => Math.max(-y, 0.87 * Math.abs(x) + y / 2) / 0.78,
  (x, y) => Math.max(Math.min(Math.abs(x), Math.abs(y)) / 0.4, Math.max(Math.abs(x), Math.abs(y)) / 1.2),
];

// The furthest point of a shape of radius 1.
const FURTHEST = 1.6;

/** The dots of places on a map of which a part may be shown. */
export class Dots {
  readonly #places: Places;
  readonly #canvas = document.createElement("canvas");
  readonly #pen = this.#canvas.getContext("2d");
  #image: ImageData | undefined;
  #pixels = new Uint32Array(0);
  #stamps: Stamp[][] = [];
  /** The samples in each square of the raster. */
  #sums = new Float64Array(0);
  /** The same by biome. */
  #sumsOfBiomes = new Float64Array(0);
  /** The squares with samples, and their number. */
  #filled = new Int32Array(0);
  #numFilled = 0;
  #across = 0;
  #ratio = 1;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Sets the size in pixels of the page; `ratio` is the number of screen pixels per page pixel. */
  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#image = this.#pen?.createImageData(this.#canvas.width, this.#canvas.height);
    this.#pixels = new Uint32Array(this.#image?.data.buffer ?? new ArrayBuffer(0));
    this.#stamps = SHAPES.map((shape) => Array.from({ length: STEPS }, (_, step) => stamp(shape, radiusOf(step) * ratio)));
    this.#across = Math.ceil(width / RASTER) + 1;
    const numSquares = this.#across * (Math.ceil(height / RASTER) + 1);
    this.#sums = new Float64Array(numSquares);
    this.#sumsOfBiomes = new Float64Array(numSquares * this.#places.names.length);
    this.#filled = new Int32Array(numSquares);
  }

  /** Draws the dots; `colours` has three bytes per biome. */
  draw(pen: CanvasRenderingContext2D, transform: ZoomTransform, colours: number[]): void {
    if (!this.#pen || !this.#image) {
      return;
    }
    this.#pixels.fill(0);
    this.#numFilled = this.#sumUp(transform);
    for (let index = 0; index < this.#numFilled; index++) {
      const square = this.#filled[index] ?? 0;
      const [x, y] = this.#middle(square).map((place) => Math.round(place * this.#ratio));
      const biome = this.#biome(square);
      this.#drawStamp(this.#stamps[biome]?.[stepOf(this.#sums[square] ?? 1)], x ?? 0, y ?? 0, colours[biome] ?? 0);
    }
    this.#pen.putImageData(this.#image, 0, 0);
    pen.drawImage(this.#canvas, 0, 0, this.#canvas.width / this.#ratio, this.#canvas.height / this.#ratio);
  }

  /** The samples of the largest dot that was drawn last. */
  get most(): number {
    return this.#filled.subarray(0, this.#numFilled).reduce((most, square) => Math.max(most, this.#sums[square] ?? 0), 0);
  }

  /** Returns the last drawn dot at a point. */
  at(x: number, y: number, transform: ZoomTransform): Found | undefined {
    let [nearest, least] = [-1, Infinity];
    for (let index = 0; index < this.#numFilled; index++) {
      const square = this.#filled[index] ?? 0;
      const [left = 0, top = 0] = this.#middle(square);
      const distance = Math.hypot(left - x, top - y) - radiusOf(stepOf(this.#sums[square] ?? 1));
      if (distance < Math.min(least, BESIDE)) {
        [nearest, least] = [square, distance];
      }
    }
    if (nearest < 0) {
      return undefined;
    }
    const box = { west: 180, east: -180, south: 90, north: -90 };
    const { length, longitudes, latitudes } = this.#places;
    for (let index = 0; index < length; index++) {
      const [longitude, latitude] = [longitudes[index] ?? 0, latitudes[index] ?? 0];
      if (this.#squareOf(longitude, latitude, transform) === nearest) {
        box.west = Math.min(box.west, longitude);
        box.east = Math.max(box.east, longitude);
        box.south = Math.min(box.south, latitude);
        box.north = Math.max(box.north, latitude);
      }
    }
    return { numSamples: this.#sums[nearest] ?? 0, biome: this.#biome(nearest), box };
  }

  // Returns the middle of a square, in pixels of the page.
  #middle(square: number): [number, number] {
    return [((square % this.#across) + 0.5) * RASTER, (Math.floor(square / this.#across) + 0.5) * RASTER];
  }

  #biome(square: number): number {
    const count = this.#places.names.length;
    const sums = this.#sumsOfBiomes.subarray(square * count, (square + 1) * count);
    return sums.indexOf(Math.max(...sums));
  }

  #squareOf(longitude: number, latitude: number, { k, x, y }: ZoomTransform): number {
    const scale = (k * this.#canvas.width) / this.#ratio / 360;
    const column = Math.floor(((longitude + 180) * scale + x) / RASTER);
    const row = Math.floor(((90 - latitude) * scale + y) / RASTER);
    const square = row * this.#across + column;
    return column >= 0 && row >= 0 && column < this.#across && square < this.#sums.length ? square : -1;
  }

  // Sets the pixels of a dot. Its soft edges do not cover other dots.
  #drawStamp(stamp: Stamp | undefined, middle: number, centre: number, colour: number): void {
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

  // Adds up the visible places per square of the raster, and returns the number of filled squares.
  #sumUp(transform: ZoomTransform): number {
    const { length, longitudes, latitudes, weights, biomes, names } = this.#places;
    const [sums, sumsOfBiomes, filled] = [this.#sums, this.#sumsOfBiomes, this.#filled];
    let numFilled = 0;
    sums.fill(0);
    sumsOfBiomes.fill(0);
    for (let index = 0; index < length; index++) {
      const square = this.#squareOf(longitudes[index] ?? 0, latitudes[index] ?? 0, transform);
      if (square >= 0) {
        if (sums[square] === 0) {
          filled[numFilled++] = square;
        }
        const [weight, place] = [weights[index] ?? 0, square * names.length + (biomes[index] ?? 0)];
        sums[square] = (sums[square] ?? 0) + weight;
        sumsOfBiomes[place] = (sumsOfBiomes[place] ?? 0) + weight;
      }
    }
    return numFilled;
  }
}

/** Returns the radius of a dot by its number of samples, in pixels. */
export function radius(numSamples: number): number {
  return radiusOf(stepOf(numSamples));
}

function stepOf(numSamples: number): number {
  return Math.min(STEPS - 1, Math.round(Math.log2(numSamples)));
}

function radiusOf(step: number): number {
  return RADIUS_MIN + step * GROWTH;
}

/** The opacities of the pixels of a dot, from 0 to 255, row by row. */
interface Stamp {
  /** The pixels on each side of the one in the middle. */
  reach: number;
  opacities: Uint8Array;
}

function stamp(shape: (x: number, y: number) => number, radius: number): Stamp {
  const reach = Math.ceil(FURTHEST * radius);
  const side = 2 * reach + 1;
  const opacity = (_: unknown, index: number): number => {
    const distance = shape((index % side) - reach, Math.floor(index / side) - reach);
    return Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - distance)));
  };
  return { reach, opacities: Uint8Array.from({ length: side * side }, opacity) };
}
