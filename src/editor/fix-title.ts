import type { Fix } from '../language/diagnostic.ts';
import { truncate } from '../util/cut.ts';

const MAX_TEXT_WIDTH = 60;

/** What a fix does, for whoever chooses it: `` Write `==` ``. */
export function describeFix({ span, text }: Fix, source: string): string {
  if (text.trim() === '') return `Remove ${code(source.slice(span.start, span.end))}`;
  return `${span.start === span.end ? 'Insert' : 'Write'} ${code(text)}`;
}

function code(text: string): string {
  return `\`${truncate(text.trim(), MAX_TEXT_WIDTH)}\``;
}
