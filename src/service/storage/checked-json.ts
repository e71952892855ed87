import { crc32 } from 'node:zlib';

/** An object as a line of JSON that ends with a checksum of it. */
export function stringifyChecked(content: object): string {
  return `${JSON.stringify({ ...content, crc32: crc32(JSON.stringify(content)) })}\n`;
}

/**
 * What {@link stringifyChecked} made a text of.
 *
 * @throws {Error} where it is another text.
 */
export function parseChecked(text: string): object {
  const { crc32: sum, ...content } = Object(JSON.parse(text));
  if (text !== stringifyChecked(content) || sum === undefined) throw new Error('its checksum is wrong');
  return content;
}
