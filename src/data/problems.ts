/** Takes what is wrong with a record that cannot be read, and the line where the record begins. */
export type ReportProblem = (line: number, reason: string) => void;

/** What is wrong with a record of other bytes. */
export const NOT_UTF8 = 'not UTF-8 text';

/** What is wrong with a record of more bytes than the limit. */
export function describeTooLong(limit: number): string {
  return `longer than ${limit / 2 ** 20} MiB`;
}

/** Finds a name that occurs again, and says so: to read one of its columns or fields would be a guess. */
export function describeRepeatedName(names: readonly string[], kind: string): string | undefined {
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  if (repeated === undefined) return undefined;
  return `has several ${kind} called ${JSON.stringify(repeated)}: rename them, so that each name occurs once`;
}
