// The places of samples, as numbers in a row: they may be many.

export interface Places {
  length: number;
  /** In degrees. */
  longitudes: Float64Array;
  latitudes: Float64Array;
  /** How many samples were taken at each place. */
  weights: Float64Array;
  numSamples: number;
  /** Samples whose coordinates are wrong. */
  numNowhere: number;
}

/** Asks for places; nothing if they cannot be had. */
export async function fetchPlaces(address: string): Promise<Places | undefined> {
  try {
    const answer = await fetch(address);
    return answer.ok ? toPlaces((await answer.json()) as [number, number, number][]) : undefined;
  } catch {
    return undefined;
  }
}

function toPlaces(rows: [number, number, number][]): Places {
  const known = rows.filter(([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90);
  const samples = (rows: [number, number, number][]): number => rows.reduce((sum, [, , weight]) => sum + weight, 0);
  const numSamples = samples(known);
  return {
    length: known.length,
    longitudes: Float64Array.from(known, ([longitude]) => longitude),
    latitudes: Float64Array.from(known, ([, latitude]) => latitude),
    weights: Float64Array.from(known, ([, , weight]) => weight),
    numSamples,
    numNowhere: samples(rows) - numSamples,
  };
}
