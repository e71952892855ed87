import type { Use } from '../../lang/check/check.ts';
import { property } from '../../lang/syntax/template.ts';
import type { Properties } from '../../lang/value.ts';

/** An event, and its user if it has one. */
export interface ProbeRecord {
  readonly properties: Properties;
  readonly user?: Properties;
}

/** Expressions to evaluate on every one of some records. The interpreter computes the expected results. */
export interface ProbeGroup {
  /** The subject, for reports. */
  readonly about: string;
  readonly records: readonly ProbeRecord[];
  readonly expressions: readonly string[];
  readonly uses: readonly Use[];
  /** The time zone of the query. Default: UTC. */
  readonly timeZone?: string;
  /** Whether the group runs on maps too. Most do not: the SQL reads the values of a map like a JSON column. */
  readonly inMaps?: true;
}

export const X = property('x');
export const Y = property('y');

export const FILTER = ['where'] as const;
export const VALUE = ['value'] as const;
export const ALL_USES = ['value', 'on', 'number'] as const;

/** Returns a record without a user for each set of properties. */
export function createRecords(properties: readonly Properties[]): ProbeRecord[] {
  return properties.map((one) => ({ properties: one }));
}

/** Returns a record with the properties `x` and `y` for each pair of a left and a right value. */
export function createPairs(lefts: readonly unknown[], rights: readonly unknown[]): ProbeRecord[] {
  return createRecords(lefts.flatMap((x) => rights.map((y) => ({ x, y }))));
}
