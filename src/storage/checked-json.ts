import { crc32 } from 'node:zlib';

/** JSON in a file whose bytes are not the ones that were written. */
export class ChecksumError extends Error {
  constructor() {
    super('its checksum is wrong');
  }
}

/** An object as a line of JSON that ends with a checksum of it. */
export function stringifyChecked(content: object): string {
  return `${JSON.stringify({ ...content, crc32: crc32(JSON.stringify(content)) })}\n`;
}

/**
 * What {@link stringifyChecked} made a text of.
 *
 * @throws {ChecksumError} where it is another text.
 * @throws {SyntaxError} where it is not even JSON.
 */
export function parseChecked(text: string): object {
  const { crc32: sum, ...content } = Object(JSON.parse(text));
  if (text !== stringifyChecked(content) || sum === undefined) throw new ChecksumError();
  return content;
}
