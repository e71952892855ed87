import { MAX_NAME_LENGTH } from '../../util/interned.ts';
import { COPIES } from './leaf-copies.ts';
import { LEAVES, type Leaves } from './leaves.ts';

const ALL: readonly Leaves[] = [LEAVES, ...COPIES];
const MOST_NAMES = 10_000;

const places = new Map<string, number>();

/**
 * The leaves for a name, the same ones each time. V8 learns for each place in the code what is read there: where that is one
 * name, reading costs a quarter of what it costs where it is several. The first names have a copy of the code for each, the others share;
 * long ones are not remembered.
 */
export function leavesFor(name: string): Leaves {
  if (name.length > MAX_NAME_LENGTH) return LEAVES;
  const place = places.get(name) ?? places.size % ALL.length;
  if (places.size < MOST_NAMES) places.set(name, place);
  return ALL[place] as Leaves;
}
