const DAY_MS = 86_400_000;

/** Returns the day some days after another, both `yyyy-mm-dd`; before it if the number is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of days from the first to the last; 0 if one is no day, or they are reversed. */
export function countDays(first: string, last: string): number {
  return Math.max(0, (Date.parse(last) - Date.parse(first)) / DAY_MS + 1) || 0;
}

/** Returns the days of a request moved to as many days before; undefined without whole days. */
export function getPeriodBefore(parameters: ReadonlyMap<string, string>) {
  const [from, to] = [parameters.get('from_date') ?? '', parameters.get('to_date') ?? ''];
  const length = countDays(from, to);
  return length === 0 ? undefined : { from_date: addDays(from, -length), to_date: addDays(from, -1) };
}
