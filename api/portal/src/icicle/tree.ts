// The biomes of a table as a tree.

import { hierarchy, type HierarchyNode } from "d3-hierarchy";

export interface Biome {
  lineage: string;
  name: string;
  /** Its number of proteins. */
  count: number;
  /** The number as the table has it. */
  shownCount: string;
  href: string;
  below: Biome[];
}

/** Reads the rows of a table, in which each biome stands behind the one above it. What has several tops gets a nameless one above them. */
export function readBiomes(table: HTMLElement): HierarchyNode<Biome> | undefined {
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tr[data-lineage]")];
  const tops: Biome[] = [];
  const above: Biome[] = [];
  for (const biome of rows.map(read)) {
    while (above.length > 0 && !biome.lineage.startsWith(`${above.at(-1)?.lineage}:`)) {
      above.pop();
    }
    (above.at(-1)?.below ?? tops).push(biome);
    above.push(biome);
  }
  const [first] = tops;
  if (!first) {
    return undefined;
  }
  const nameless = { lineage: "", name: "", count: 0, shownCount: "", href: "", below: tops };
  return weigh(hierarchy(tops.length === 1 ? first : nameless, (biome) => biome.below));
}

// A protein can be in several biomes, so those below a biome may have more proteins together than it has itself, and it gets as much room as they.
function weigh(top: HierarchyNode<Biome>): HierarchyNode<Biome> {
  return top.eachAfter((node) => {
    const below = node.children?.reduce((sum, child) => sum + (child.value ?? 0), 0) ?? 0;
    // The type has no way to set it but by sums.
    (node as { value: number }).value = Math.max(node.data.count, below);
  });
}

function read(row: HTMLTableRowElement): Biome {
  const link = row.querySelector("a");
  const lineage = row.dataset["lineage"] ?? "";
  return {
    lineage,
    name: link?.textContent?.trim() ?? lineage,
    count: Number(row.dataset["count"]),
    shownCount: row.cells[1]?.textContent?.trim() ?? "",
    href: link?.getAttribute("href") ?? "",
    below: [],
  };
}
