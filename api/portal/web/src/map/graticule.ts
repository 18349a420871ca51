// Lines of longitude and latitude with their degrees, finer when zoomed in.

import type { ZoomTransform } from "d3-zoom";

const STEPS = [90, 60, 30, 10, 5, 1];

// Minimum distance between lines, in pixels.
const APART = 70;

const MARGIN = 3;

// Height of the text of degrees, in pixels.
const LINE = 11;

/**
 * Draws the lines of the visible part of a map, and their degrees at the left and lower edges. `width`
 * is the width of the whole map.
 */
export function drawGraticule(pen: CanvasRenderingContext2D, transform: ZoomTransform, width: number, line: string, ink: string): void {
  const scale = width / 360;
  const finest = STEPS.filter((step) => step * scale * transform.k >= APART).at(-1) ?? 90;
  const height = width / 2;
  pen.lineWidth = 1;
  pen.strokeStyle = line;
  pen.fillStyle = ink;
  pen.font = `${LINE}px system-ui, sans-serif`;
  // Skips texts that would be cut off at an edge.
  const write = (text: string, left: number, bottom: number): void => {
    if (bottom > LINE && left + MARGIN + pen.measureText(text).width < width) {
      pen.fillText(text, left + MARGIN, bottom - MARGIN);
    }
  };
  for (let degrees = -180 + finest; degrees < 180; degrees += finest) {
    const x = Math.round(transform.applyX((degrees + 180) * scale)) + 0.5;
    const y = Math.round(transform.applyY((90 - degrees) * scale)) + 0.5;
    if (x > 0 && x < width) {
      stroke(pen, [x, 0], [x, height]);
      write(inDegrees(degrees, "W", "E"), x, height);
    }
    if (Math.abs(degrees) < 90 && y > 0 && y < height - LINE) {
      stroke(pen, [0, y], [width, y]);
      write(inDegrees(degrees, "S", "N"), 0, y);
    }
  }
}

/** Writes an angle, such as 151.2° E. */
export function inDegrees(degrees: number, below: string, above: string): string {
  const number = `${Number(Math.abs(degrees).toFixed(4))}°`;
  return degrees === 0 ? number : `${number} ${degrees < 0 ? below : above}`;
}

function stroke(pen: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}
