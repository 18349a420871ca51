// The places of samples, in arrays of numbers because there may be many.

/** A box in degrees. If its west is further east than its east, it crosses the date line. */
export interface Box {
  west: number;
  east: number;
  south: number;
  north: number;
}

export interface Places {
  length: number;
  /** In degrees. */
  longitudes: Float64Array;
  latitudes: Float64Array;
  /** The number of samples at each place. */
  weights: Float64Array;
  /** The colour of each place: the index of the most frequent biome of its samples. */
  biomes: Uint8Array;
  /** The names of the biomes by their colours. */
  names: string[];
  numSamples: number;
  /** The numbers of samples with impossible coordinates, and of samples without any. */
  numNowhere: number;
  numUnplaced: number;
}

type Row = [longitude: number, latitude: number, weight: number, biome: number];

interface Answer {
  places: Row[];
  biomes: string[];
  unplaced: number;
}

/** Loads places; returns undefined on failure. */
export async function fetchPlaces(address: string): Promise<Places | undefined> {
  try {
    const answer = await fetch(address);
    return answer.ok ? toPlaces((await answer.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}

function toPlaces({ places, biomes, unplaced }: Answer): Places {
  const known = places.filter(([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90);
  const samples = (rows: Row[]): number => rows.reduce((sum, [, , weight]) => sum + weight, 0);
  const numSamples = samples(known);
  return {
    length: known.length,
    longitudes: Float64Array.from(known, ([longitude]) => longitude),
    latitudes: Float64Array.from(known, ([, latitude]) => latitude),
    weights: Float64Array.from(known, ([, , weight]) => weight),
    biomes: Uint8Array.from(known, ([, , , biome]) => biome),
    names: [...biomes, "other or no biome"],
    numSamples,
    numNowhere: samples(places) - numSamples,
    numUnplaced: unplaced,
  };
}
