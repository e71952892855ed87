import { integer } from './kinds.ts';
import { optional, type Parameter } from './parameter.ts';

const MOST_SEGMENTS = 10_000;

/** The parameter that says how many segments are shown. */
export function segmentLimit(otherwise: number): Parameter<number> {
  const description = 'How many segments are shown, the greatest ones. Only with `on`.';
  return optional(integer({ most: MOST_SEGMENTS }), description, otherwise);
}
