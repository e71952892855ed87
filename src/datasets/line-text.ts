import type { EventLine, PersonLine } from '../store/log-line.ts';
import { toWellFormed } from '../util/to-well-formed.ts';

/** A line of a log as it is written there, without a line break. Halves of surrogate pairs, which no file can hold, become U+FFFD. */
export function stringifyLine(line: EventLine | PersonLine): string {
  const text = JSON.stringify(line);
  // Only these are still escaped, apart from a backslash that happens to stand before the same letters.
  return text.includes('\\ud') ? JSON.stringify(toWellFormed(line)) : text;
}
