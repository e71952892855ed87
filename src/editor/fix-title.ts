import type { Fix } from '../language/diagnostic.ts';
import { truncate } from '../util/cut.ts';

const WIDEST_TEXT = 60;

/** What a fix does, for whoever chooses it: `` Write `==` ``. */
export function fixTitle({ span, text }: Fix, source: string): string {
  if (text.trim() === '') return `Remove ${code(source.slice(span.start, span.end))}`;
  return `${span.start === span.end ? 'Insert' : 'Write'} ${code(text)}`;
}

function code(text: string): string {
  return `\`${truncate(text.trim(), WIDEST_TEXT)}\``;
}
