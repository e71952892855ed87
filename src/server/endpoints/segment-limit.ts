import { integer } from './kinds.ts';
import { allowParameter, type Parameter } from './parameter.ts';

const MAX_SEGMENTS = 10_000;

/** The parameter that says how many segments are shown. */
export function limitSegments(otherwise: number): Parameter<number> {
  const description = 'How many segments are shown, the greatest ones. Only with `on`.';
  return allowParameter(integer({ most: MAX_SEGMENTS }), description, otherwise);
}
