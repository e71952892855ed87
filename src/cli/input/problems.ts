export const NOT_UTF8 = 'not UTF-8 text';

export function tooLong(limit: number): string {
  return `longer than ${limit / 2 ** 20} MiB`;
}
