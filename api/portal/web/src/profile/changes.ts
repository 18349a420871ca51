// Changes to attributes, and conflicts with changes that someone else saved in the meantime.

import type { Attributes } from "./service";

/** New values by key; undefined removes the attribute. */
export type Changes = Map<string, string | undefined>;

/** An attribute that both sides changed differently; undefined means removed. */
export interface Conflict {
  key: string;
  mine: string | undefined;
  theirs: string | undefined;
}

export function changesBetween(before: Attributes, after: Attributes): Changes {
  const changes: Changes = new Map();
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, value] = [valueOf(before, key), valueOf(after, key)];
    if (old !== value) {
      changes.set(key, value);
    }
  }
  return changes;
}

export function apply(attributes: Attributes, changes: Changes): Attributes {
  const values = new Map(Object.entries(attributes));
  for (const [key, value] of changes) {
    if (value === undefined) {
      values.delete(key);
    } else {
      values.set(key, value);
    }
  }
  return Object.fromEntries(values);
}

export function conflicts(mine: Changes, theirs: Changes): Conflict[] {
  const both = [...mine].filter(([key, value]) => theirs.has(key) && theirs.get(key) !== value);
  return both.map(([key, value]) => ({ key, mine: value, theirs: theirs.get(key) }));
}

// Ignores inherited members such as `constructor`.
function valueOf(attributes: Attributes, key: string): string | undefined {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}
