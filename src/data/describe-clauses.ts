import { formatInteger, quoteString } from '../base/strings.ts';
import type { ClauseCounts } from './clause-counts.ts';

/** Explains the counts of a filter with several parts. */
export const COUNTS_LEGEND =
  'Each part of an `and` sees the records that the part above it leaves. Each part of an `or` sees all.';

/**
 * Describes the counts of a part of a filter.
 *
 * @param removes Whether the records that the part does not match are lost: not inside of `or` or `not`.
 */
export function describePart(part: ClauseCounts, removes: boolean): string {
  const { seen, matched } = part;
  if (seen === 0) return 'sees no records';
  const reasons = listReasons(part);
  return removes ? describeLeft(matched, seen - matched, reasons) : describeMatched(part, reasons);
}

/** Describes how many records are left and removed, and why. */
export function describeLeft(left: number, removed: number, reasons: readonly string[]): string {
  return `${formatInteger(left)} left, ${formatInteger(removed)} removed${inParentheses(reasons)}`;
}

function describeMatched({ seen, matched, added }: ClauseCounts, reasons: readonly string[]): string {
  const more = added === undefined || added === matched ? '' : `, ${formatInteger(added)} of them new`;
  return `${formatInteger(matched)} of ${formatInteger(seen)} match${more}${inParentheses(reasons)}`;
}

/** Says why records do not match, beyond having another value. */
function listReasons({ missing, undefined: count }: ClauseCounts): string[] {
  return [
    ...missing.map(({ scope, name, count: lacking }) => {
      const what = `${scope === 'user' ? 'user property ' : ''}${quoteString(name)}`;
      return `${formatInteger(lacking)} ${lacking === 1 ? 'has' : 'have'} no ${what}`;
    }),
    ...(count === 0 ? [] : [`${formatInteger(count)} ${count === 1 ? 'is' : 'are'} undefined`]),
  ];
}

function inParentheses(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
}
