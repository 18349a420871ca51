// The outline of the land, at the size of a whole map.

import { geoEquirectangular, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import outline from "world-atlas/land-110m.json";

const topology = outline as unknown as Topology<{ land: GeometryCollection }>;

const land = feature(topology, topology.objects.land);

/** Draws the land of the whole Earth, whose height is half its width. In this projection a box of coordinates is a box on the map. */
export function landOf(width: number): Path2D {
  const projection = geoEquirectangular()
    .scale(width / (2 * Math.PI))
    .translate([width / 2, width / 4]);
  return new Path2D(geoPath(projection)(land) ?? "");
}
