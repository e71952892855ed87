import { isJsonObject } from '../../base/json.ts';

/** A part of an answer that was cut. */
interface Cut {
  /** Where it is: `data.values`, or an empty string for the whole answer. */
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

interface Bounded {
  readonly answer: unknown;
  /** Empty if the answer is whole. */
  readonly truncated: readonly Cut[];
}

/** The length of the JSON of an answer. A model reads no more at once. */
const MAX_LENGTH = 200_000;

/** Strings in answers are cut here. */
const MAX_STRING = 2_000;

/** More cuts are not listed. */
const MAX_CUTS = 50;

/** Objects with fewer members may be records, whose members are no rows. */
const MIN_MEMBERS = 20;

/**
 * Cuts each list and each object of an answer to its first members, and says where. Cuts to fewer if the answer would still
 * be too long.
 */
export function boundAnswer(answer: unknown, maxRows: number): Bounded {
  let bounded = boundMembers(answer, { rows: maxRows, members: Math.max(maxRows, MIN_MEMBERS) });
  for (let rows = maxRows; rows > 1 && isLong(bounded.answer); ) {
    rows = Math.floor(rows / 2);
    bounded = boundMembers(answer, { rows, members: rows });
  }
  return bounded;
}

/** The most items of a list, and members of an object. */
interface Bounds {
  readonly rows: number;
  readonly members: number;
}

function isLong(answer: unknown): boolean {
  return JSON.stringify(answer ?? null).length > MAX_LENGTH;
}

function boundMembers(answer: unknown, bounds: Bounds): Bounded {
  const cuts: Cut[] = [];
  const bounded = cut(answer, '', bounds, cuts);
  return { answer: bounded, truncated: cuts.slice(0, MAX_CUTS) };
}

function cut(value: unknown, path: string, bounds: Bounds, cuts: Cut[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_STRING) return value;
    cuts.push({ path, shown: MAX_STRING, of: value.length });
    return value.slice(0, MAX_STRING).replace(/[\ud800-\udbff]$/, '');
  }
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return value;
  const all = Object.entries(value);
  const max = isList ? bounds.rows : bounds.members;
  if (all.length > max) cuts.push({ path, shown: max, of: all.length });
  const kept = all.slice(0, max).map(([name, member]) => {
    return [name, cut(member, path === '' ? name : `${path}.${name}`, bounds, cuts)] as const;
  });
  return isList ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
