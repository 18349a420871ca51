// The matches of families, read from their table.

export interface Hit {
  row: HTMLTableRowElement;
  /** The id of the row. */
  id: string;
  accession: string;
  name: string;
  /** 1-based, inclusive. */
  start: number;
  end: number;
  /** One of the colours of domains. */
  colour: number;
}

export function readHits(table: HTMLElement): Hit[] {
  return [...table.querySelectorAll<HTMLTableRowElement>("tr[data-start]")].map((row) => ({
    row,
    id: row.id,
    accession: row.dataset["accession"] ?? "",
    name: row.dataset["name"] ?? "",
    start: Number(row.dataset["start"]),
    end: Number(row.dataset["end"]),
    colour: Number(row.dataset["colour"]),
  }));
}

/** Spreads hits over as few lanes as it takes for none to cover another. */
export function lanes(hits: Hit[]): Hit[][] {
  const lanes: Hit[][] = [];
  for (const hit of [...hits].sort((left, right) => left.start - right.start || right.end - left.end)) {
    const free = lanes.find((lane) => (lane.at(-1)?.end ?? 0) < hit.start);
    if (free) {
      free.push(hit);
    } else {
      lanes.push([hit]);
    }
  }
  return lanes;
}
