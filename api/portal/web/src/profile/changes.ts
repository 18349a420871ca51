// Changes to attributes: what there was, what it is to be, and what somebody else made of it meanwhile.

import type { Attributes } from "./service";

/** Changes by key; what is to be removed is undefined. */
export type Changes = Map<string, string | undefined>;

/** An attribute that both sides changed, each in another way. Undefined is removed. */
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

// Keys such as `constructor` are no attributes unless somebody made them so.
function valueOf(attributes: Attributes, key: string): string | undefined {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}
