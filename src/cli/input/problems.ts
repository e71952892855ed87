/** What is wrong with a record of other bytes. */
export const NOT_UTF8 = 'not UTF-8 text';

/** What is wrong with a record of more bytes than the limit. */
export function tooLong(limit: number): string {
  return `longer than ${limit / 2 ** 20} MiB`;
}
