import { measureWidth } from './display-width.ts';

/** The text, or as much of it as fits a width before an ellipsis. */
export function truncate(text: string, width: number): string {
  let [taken, end] = [0, 0];
  for (const character of text) {
    taken += measureWidth(character);
    if (taken > width) return `${text.slice(0, end)}…`;
    if (taken < width) end += character.length;
  }
  return text;
}
