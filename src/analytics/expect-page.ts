import { formatInteger } from '../util/counted.ts';
import { QueryError } from './query-error.ts';

/** How many people a page has. */
export const PAGE_SIZE = 1_000;

/** The properties of the people on a page have so many characters together at most: a page is held in memory. */
export const MAX_PAGE_CHARACTERS = 32_000_000;

/** @throws {QueryError} where the properties of the people on a page have more characters than it may have. */
export function assertPageSize(characters: number): void {
  if (characters <= MAX_PAGE_CHARACTERS) return;
  const [size, most] = [PAGE_SIZE, MAX_PAGE_CHARACTERS].map(formatInteger);
  const message = `A page of ${size} people would have too many characters (${most} are the most): ask for people with smaller profiles.`;
  throw new QueryError('parameter', message, ['where']);
}
