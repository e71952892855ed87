import { MAX_NAME_LENGTH } from '../../util/intern.ts';
import { COPIES } from './leaf-copies.ts';
import { PROPERTY_READERS, type PropertyReaders } from './leaves.ts';

const ALL_READERS: readonly PropertyReaders[] = [PROPERTY_READERS, ...COPIES];
const MAX_NAMES = 10_000;

const copyByName = new Map<string, number>();

/**
 * Returns the readers for a name, the same ones each time. V8 optimizes each place in the code for the properties read
 * there: reading only one name costs a quarter of reading several. The first names get one copy of the code each, and
 * later names share the copies. Long names are not remembered.
 */
export function getPropertyReaders(name: string): PropertyReaders {
  if (name.length > MAX_NAME_LENGTH) return PROPERTY_READERS;
  const index = copyByName.get(name) ?? copyByName.size % ALL_READERS.length;
  if (copyByName.size < MAX_NAMES) copyByName.set(name, index);
  return ALL_READERS[index] as PropertyReaders;
}
