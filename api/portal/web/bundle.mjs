// Makes dist from src: scripts and styles without white space, and the licences of what the scripts contain.

import { copyFile, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { geoEquirectangular, geoPath } from "d3-geo";
import { build } from "esbuild";
import { feature } from "topojson-client";

process.chdir(dirname(fileURLToPath(import.meta.url)));

const SCRIPTS = ["portal", "track", "map", "profile"];

const { metafile } = await build({
  entryPoints: [...SCRIPTS.map((name) => `src/${name}.ts`), "src/portal.css"],
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome120", "firefox121", "safari17"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});
await copyFile("src/favicon.svg", "dist/favicon.svg");
await copyFile("node_modules/world-atlas/land-50m.json", "dist/land.json");
await writeFile("dist/land.txt", await land(720));
await writeFile("dist/NOTICE.txt", await notice(metafile));

/** Returns the land on a map of this width as an SVG path, for maps that the server draws. */
async function land(width) {
  const outline = JSON.parse(await readFile("node_modules/world-atlas/land-110m.json", "utf8"));
  const projection = geoEquirectangular()
    .precision(0)
    .scale(width / (2 * Math.PI))
    .translate([width / 2, width / 4]);
  return geoPath(projection).digits(1)(feature(outline, outline.objects.land));
}

/** Returns the licences of the packages that are in the scripts. */
async function notice({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const packages = new Set(files.map((file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[0]).filter(Boolean));
  const parts = [];
  for (const folder of [...packages].sort()) {
    const { name, version, license } = JSON.parse(await readFile(`${folder}package.json`, "utf8"));
    parts.push(`${name} ${version} (${license})\n\n${(await licence(folder)) ?? `Under the licence ${license}.`}\n`);
  }
  const rule = `\n${"-".repeat(80)}\n\n`;
  return [`The scripts of the portal contain parts of these packages.\n`, ...parts].join(rule);
}

async function licence(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt"]) {
    try {
      return (await readFile(folder + name, "utf8")).replaceAll("\r\n", "\n").trim();
    } catch {
      // The next name.
    }
  }
  return undefined;
}
