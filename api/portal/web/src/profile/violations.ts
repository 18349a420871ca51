// Violations of a schema.

/**
 * Groups lines such as `$.zip: must be …` by key, and returns the remaining ones as `others`. Keys
 * may contain colons.
 */
export function byKey(details: string[], keys: string[]): { of: Map<string, string[]>; others: string[] } {
  const longestFirst = [...keys].sort((left, right) => right.length - left.length);
  const of = new Map<string, string[]>();
  const others: string[] = [];
  for (const line of details) {
    const key = longestFirst.find((key) => line.startsWith(`$.${key}: `));
    if (key === undefined) {
      others.push(line.replace(/^\$\./, ""));
    } else {
      of.set(key, [...(of.get(key) ?? []), line.slice(`$.${key}: `.length)]);
    }
  }
  return { of, others };
}
