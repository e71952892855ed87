import { measureWidth } from '../../base/strings.ts';

/** Wraps a string between words. A word that is wider than a line has a line for itself. */
export function wrapWords(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? indent + word : `${line} ${word}`;
    if (line !== '' && measureWidth(longer) > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].map((each) => each.trimEnd());
}
