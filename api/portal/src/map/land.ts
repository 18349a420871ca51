// The outline of the land, and the lines of longitude and latitude, at the size of a whole map.

import { type GeoPermissibleObjects, geoEquirectangular, geoGraticule, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import outline from "world-atlas/land-110m.json";

const topology = outline as unknown as Topology<{ land: GeometryCollection }>;

const land = feature(topology, topology.objects.land);

// Degrees between two lines.
const STEP = 30;

export interface Land {
  area: Path2D;
  lines: Path2D;
}

/** Draws the whole Earth, whose height is half its width. In this projection a box of coordinates is a box on the map. */
export function landOf(width: number): Land {
  const projection = geoEquirectangular()
    .scale(width / (2 * Math.PI))
    .translate([width / 2, width / 4]);
  const path = geoPath(projection);
  const drawn = (shape: GeoPermissibleObjects): Path2D => new Path2D(path(shape) ?? "");
  return { area: drawn(land), lines: drawn(geoGraticule().step([STEP, STEP])()) };
}
