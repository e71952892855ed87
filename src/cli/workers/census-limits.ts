import { formatInteger } from '../../base/strings.ts';

/** The limits of a census, so that no file can fill the memory. */
export interface CensusLimits {
  readonly users: number;
  /** The most different events, and the most properties. */
  readonly names: number;
  /** Events and properties with longer names are not counted. */
  readonly nameLength: number;
  /** The most different values of a property. */
  readonly values: number;
  /** The most bytes of the different values of all properties together, about. */
  readonly valueBytes: number;
}

export const CENSUS_LIMITS: CensusLimits = {
  users: 1_000_000,
  names: 10_000,
  nameLength: 2_000,
  values: 10_000,
  valueBytes: 100_000_000,
};

/** Values whose JSON is longer are not counted. */
export const MAX_VALUE_LENGTH = 200;

/** Says which events or properties are not among those that are kept. */
export function explainLimit(
  kind: 'events' | 'properties',
  kept: ReadonlyMap<string, unknown>,
  { names, nameLength }: CensusLimits,
): string {
  const limit =
    kept.size < names
      ? `${kind} with names longer than ${formatInteger(nameLength)} characters are not counted`
      : `only the first ${formatInteger(names)} different ${kind} are counted`;
  return `… and more: ${limit}`;
}
