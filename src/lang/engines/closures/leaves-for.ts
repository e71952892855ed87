import { MAX_NAME_LENGTH } from '../../util/intern.ts';
import { COPIES } from './leaf-copies.ts';
import { PROPERTY_READERS, type PropertyReaders } from './leaves.ts';

const ALL: readonly PropertyReaders[] = [PROPERTY_READERS, ...COPIES];
const MAX_NAMES = 10_000;

const places = new Map<string, number>();

/**
 * The leaves for a name, the same ones each time. V8 learns for each place in the code what is read there: where that is one
 * name, reading costs a quarter of what it costs where it is several. The first names have a copy of the code for each, the others share;
 * long ones are not remembered.
 */
export function getPropertyReaders(name: string): PropertyReaders {
  if (name.length > MAX_NAME_LENGTH) return PROPERTY_READERS;
  const place = places.get(name) ?? places.size % ALL.length;
  if (places.size < MAX_NAMES) places.set(name, place);
  return ALL[place] as PropertyReaders;
}
