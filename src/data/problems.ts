/** Receives the line where a broken record begins and the reason. */
export type ReportProblem = (line: number, reason: string) => void;

/** The problem of a record that is not UTF-8. */
export const NOT_UTF8 = 'not UTF-8 text';

/** Describes a record over the limit (in bytes). */
export function describeTooLong(limit: number): string {
  return `longer than ${limit / 2 ** 20} MiB`;
}

/** Describes the first repeated name, if there is one: which of its columns or fields to read would be a guess. */
export function describeRepeatedName(names: readonly string[], kind: string): string | undefined {
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  if (repeated === undefined) return undefined;
  return `has several ${kind} called ${JSON.stringify(repeated)}. Rename them so that each name is unique`;
}
