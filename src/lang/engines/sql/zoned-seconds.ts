import type { TimeZone } from '../../operators/time-zone.ts';
import { foldSteps, getZoneOffsets, type Steps } from '../../operators/zone-offsets.ts';
import type { Dialect } from './dialect.ts';
import { REPEATED } from './repeated-years.ts';
import { caseWhen, compare, infix, or, PRECEDENCE, raw, type Sql, shareExpression } from './sql.ts';

/**
 * Returns the Unix seconds of a date string in a time zone, from those in UTC. The offsets are part of the statement, so
 * that the answer does not depend on the time zones that the database knows.
 */
export function zoneSeconds(inUtc: Sql, string: Sql, timeZone: TimeZone, dialect: Dialect): Sql {
  const seconds = shareExpression(inUtc);
  const hasZone = or(...["'%Z'", "'%+__:__'", "'%-__:__'"].map((pattern) => compare(string, 'LIKE', raw(pattern))));
  const { ofLocalTimes } = getZoneOffsets(timeZone);
  const isFixed = (ofLocalTimes.limits.at(-1) ?? 0) < REPEATED.pattern;
  const offset = lookUp(dialect, ofLocalTimes, isFixed ? seconds : shareExpression(lowerKnownTime(dialect, seconds)));
  return caseWhen([[hasZone, seconds]], infix(seconds, '-', offset, PRECEDENCE.sum));
}

/** Returns SQL for a local time with the same offset, of a year whose rules are known. */
function lowerKnownTime(dialect: Dialect, local: Sql): Sql {
  const { start, period, shifts } = REPEATED;
  const sum = (left: Sql, operator: string, right: Sql) => infix(left, operator, right, PRECEDENCE.sum);
  const product = (left: Sql, operator: string, right: Sql) => infix(left, operator, right, PRECEDENCE.product);
  const periods = dialect.overloads.floor(product(sum(local, '-', raw(`${start}`)), '/', raw(`${period}.0`)));
  const first = shareExpression(sum(local, '-', product(periods, '*', raw(`${period}`))));
  return caseWhen([[compare(local, '<', raw(`${start}`)), local]], sum(first, '-', lookUp(dialect, shifts, first)));
}

/** Looks a number up, with a tree of conditions if the database has nothing better, so that few of them are evaluated. */
function lookUp(dialect: Dialect, steps: Steps, at: Sql): Sql {
  if (dialect.lookUpStep !== undefined) return dialect.lookUpStep(at, steps);
  return foldSteps(
    steps,
    (value) => raw(`${value}`),
    (limit, below, above) => caseWhen([[compare(at, '<', raw(`${limit}`)), below]], above),
  );
}
