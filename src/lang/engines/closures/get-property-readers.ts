import { MAX_NAME_LENGTH } from '../../intern.ts';
import { PROPERTY_READERS, type PropertyReaders } from './property-readers.ts';
import { PROPERTY_READERS as COPY_1 } from './property-readers.ts?1&copy';
import { PROPERTY_READERS as COPY_2 } from './property-readers.ts?2&copy';
import { PROPERTY_READERS as COPY_3 } from './property-readers.ts?3&copy';
import { PROPERTY_READERS as COPY_4 } from './property-readers.ts?4&copy';
import { PROPERTY_READERS as COPY_5 } from './property-readers.ts?5&copy';
import { PROPERTY_READERS as COPY_6 } from './property-readers.ts?6&copy';
import { PROPERTY_READERS as COPY_7 } from './property-readers.ts?7&copy';
import { PROPERTY_READERS as COPY_8 } from './property-readers.ts?8&copy';
import { PROPERTY_READERS as COPY_9 } from './property-readers.ts?9&copy';
import { PROPERTY_READERS as COPY_10 } from './property-readers.ts?10&copy';
import { PROPERTY_READERS as COPY_11 } from './property-readers.ts?11&copy';
import { PROPERTY_READERS as COPY_12 } from './property-readers.ts?12&copy';
import { PROPERTY_READERS as COPY_13 } from './property-readers.ts?13&copy';
import { PROPERTY_READERS as COPY_14 } from './property-readers.ts?14&copy';
import { PROPERTY_READERS as COPY_15 } from './property-readers.ts?15&copy';

// biome-ignore format: a row is easier to read
const ALL_READERS: readonly PropertyReaders[] = [
  PROPERTY_READERS, COPY_1, COPY_2, COPY_3, COPY_4, COPY_5, COPY_6, COPY_7, COPY_8, COPY_9, COPY_10, COPY_11, COPY_12,
  COPY_13, COPY_14, COPY_15,
];
const MAX_NAMES = 10_000;

const copyByName = new Map<string, number>();

/**
 * Returns the readers for a name, the same ones each time. V8 optimizes each place in the code for the properties read
 * there: reading only one name costs a quarter of reading several. The first names get one copy of the code each, and
 * later names share the copies. A module is loaded once for each query string of its specifier, so that every copy has
 * its own place in the code. Long names are not remembered.
 */
export function getPropertyReaders(name: string): PropertyReaders {
  if (name.length > MAX_NAME_LENGTH) return PROPERTY_READERS;
  const index = copyByName.get(name) ?? copyByName.size % ALL_READERS.length;
  if (copyByName.size < MAX_NAMES) copyByName.set(name, index);
  return ALL_READERS[index] as PropertyReaders;
}
