// The outline of the land: a coarse one at first, and a finer one after zooming in.

import { geoEquirectangular, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import outline from "world-atlas/land-110m.json";

type Outline = Topology<{ land: GeometryCollection }>;

export type Land = ReturnType<typeof toLand>;

const toLand = (outline: Outline) => feature(outline, outline.objects.land);

export const coarseLand = toLand(outline as unknown as Outline);

/** Loads the finer outline; returns undefined on failure. */
export async function fetchFineLand(): Promise<Land | undefined> {
  try {
    const answer = await fetch(new URL("land.json", import.meta.url));
    return answer.ok ? toLand((await answer.json()) as Outline) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Draws the land of the whole Earth, half as high as wide. In this projection a box of coordinates is
 * a box on the map.
 */
export function drawLand(land: Land, width: number): Path2D {
  // Skips intermediate points, which outlines do not need. This takes a third of the time.
  const projection = geoEquirectangular()
    .precision(0)
    .scale(width / (2 * Math.PI))
    .translate([width / 2, width / 4]);
  return new Path2D(geoPath(projection)(land) ?? "");
}
