/** Takes what is wrong with a record that cannot be read, and the line where the record begins. */
export type Report = (line: number, reason: string) => void;

/** What is wrong with a record of other bytes. */
export const NOT_UTF8 = 'not UTF-8 text';

/** What is wrong with a record of more bytes than the limit. */
export function tooLong(limit: number): string {
  return `longer than ${limit / 2 ** 20} MiB`;
}
