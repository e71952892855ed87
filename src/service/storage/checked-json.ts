import { crc32 } from 'node:zlib';

/** Returns an object as a line of JSON whose last key, `crc32`, is a checksum of the others. */
export function stringifyChecked(content: object): string {
  return `${JSON.stringify({ ...content, crc32: crc32(JSON.stringify(content)) })}\n`;
}

/**
 * Parses a line written by {@link stringifyChecked}.
 *
 * @throws {Error} if it is not JSON or its checksum is wrong.
 */
export function parseChecked(text: string): object {
  const { crc32: sum, ...content } = Object(JSON.parse(text));
  if (text !== stringifyChecked(content) || sum === undefined) throw new Error('its checksum is wrong');
  return content;
}
