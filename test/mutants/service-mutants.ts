// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
import { type Mutant, mutate } from './mutant.ts';

const MEMORY = 'test/service/analytics/memory-queries.test.ts';
const TIES_IN_MEMORY = [MEMORY, 'events in the same second'] as const;
const DUCKDB = 'test/service/analytics/duckdb-analytics.test.ts';
const OPTIONS_IN_MEMORY = [MEMORY, 'every option of a request'] as const;
const OPTIONS_IN_SQL = [DUCKDB, 'every option of a request'] as const;
const TIES_IN_SQL = [DUCKDB, 'events in the same second'] as const;
const STORE = 'test/service/store/duckdb-store.test.ts';
const PERSON = ['test/service/store/person-updates.test.ts', 'an operation'] as const;
const SIGNED = 'test/service/server/access/signed-access.test.ts';
const BUCKETS = 'test/service/analytics/local-buckets.test.ts';

/** Mistakes of the service: queries in memory and in SQL, and flushes. */
export const SERVICE_MUTANTS: readonly Mutant[] = [
  ...mutate('src/queries/in-memory/event-table.ts', TIES_IN_MEMORY, {
    'gaps of a range': ['if (gaps.length === 0) return whole;', 'if (gaps.length >= 0) return whole;'],
    'the end of a range': ['(times[row] as number) < to)', '(times[row] as number) <= to)'],
  }),
  ...mutate('src/queries/in-memory/event-expressions.ts', OPTIONS_IN_MEMORY, {
    'the time zone of a filter': ['new CheckedExpressions(context.timeZone)', "new CheckedExpressions('UTC')"],
    'the time of a filter': ['selection, now)', 'selection, 0)'],
  }),
  ...mutate('src/queries/in-memory/row-segments.ts', OPTIONS_IN_MEMORY, {
    'the order of equal totals': ['compareStrings(name, other))', 'compareStrings(other, name))'],
  }),
  ...mutate('src/queries/in-memory/cells.ts', OPTIONS_IN_MEMORY, {
    'the average of users': ['events / Math.max(users, 1)', 'events'],
    'users that are counted': ['if (this.last[cell] === user + 1) return;', ''],
  }),
  ...mutate('src/queries/in-memory/count-series.ts', OPTIONS_IN_MEMORY, {
    'unique totals': ["type === 'unique' ? 'unique' : 'general'", "type === 'unique' ? 'general' : 'general'"],
  }),
  ...mutate('src/queries/in-memory/addiction.ts', TIES_IN_MEMORY, {
    'more hours than a day has': ['if (size < this.maxLength) (', '('],
  }),
  ...mutate('src/queries/in-memory/addiction.ts', OPTIONS_IN_MEMORY, {
    'units that are counted': ['&& this.unitPeriods[inUnit] === period) return;', '&& user < 0) return;'],
  }),
  ...mutate('src/queries/in-memory/funnel.ts', [MEMORY, 'a funnel after another one'], {
    'a funnel with other segments': ['[steps, length, on, where,', '[steps, length, where,'],
    'a funnel of other dates': ['where, from, to, gaps,', 'where,'],
  }),
  ...mutate('src/queries/in-memory/funnel.ts', TIES_IN_MEMORY, {
    'the order of steps in a second': ['getFirstStep(left) - getFirstStep(right) ||', ''],
  }),
  ...mutate('src/queries/in-memory/funnel.ts', OPTIONS_IN_MEMORY, {
    'the length of a funnel': ['> begin + length) break;', '> begin + length + 1e9) break;'],
    'the furthest attempt': ['if (reached <= before) return;', 'if (reached < before) return;'],
    'the filter of a funnel': ['= select(candidates);', '= candidates;'],
  }),
  ...mutate('src/queries/in-memory/retention.ts', OPTIONS_IN_MEMORY, {
    'the last interval': ['- bucket < width; at++', '- bucket < width - 1; at++'],
  }),
  ...mutate('src/queries/in-memory/numbers.ts', OPTIONS_IN_MEMORY, {
    'the mean': ["aggregate === 'sum' ? 1 : Math.max(events, 1)", '1'],
  }),
  ...mutate('src/queries/buckets.ts', BUCKETS, {
    'the time zone of buckets': ['const zone = findTimeZone(timeZone);', "const zone = findTimeZone('UTC');"],
    'gaps of a range of days': [
      '.filter(({ from, to }) => from < to);\n  }',
      '.filter(({ from, to }) => from > to);\n  }',
    ],
  }),
  ...mutate('src/queries/time-range.ts', TIES_IN_SQL, {
    'gaps of a range in SQL': ['...outside];', '];'],
    'the end of a range in SQL': ['`${time} < ${span.to}`', '`${time} <= ${span.to}`'],
  }),
  ...mutate('src/service/analytics/queries/funnel.ts', TIES_IN_SQL, {
    'the order of steps in a second in SQL': ["'\"time\"', 'step', ...names", '\'"time"\', ...names'],
  }),
  ...mutate('src/service/analytics/queries/funnel.ts', OPTIONS_IN_SQL, {
    'the length of a funnel in SQL': ['<= "time" + ${length} THEN', '<= "time" + 1e9 THEN'],
    'the filter of a step in SQL': [
      "{ use: 'where', event, expression: where }",
      "{ use: 'where', event, expression: undefined }",
    ],
  }),
  ...mutate('src/service/analytics/queries/retention.ts', OPTIONS_IN_SQL, {
    'the last interval in SQL': ['AND came_in <= bucket', 'AND came_in < bucket'],
  }),
  ...mutate('src/service/analytics/queries/aggregate.ts', OPTIONS_IN_SQL, {
    'the mean in SQL': ["request.aggregate === 'sum' ? 1 : Number(events)", '1'],
  }),
  ...mutate('src/service/analytics/queries/addiction.ts', OPTIONS_IN_SQL, {
    'distinct units of a user in SQL': ['SELECT DISTINCT * FROM done', 'SELECT * FROM done'],
  }),
  ...mutate('src/service/store/filter-snapshot.ts', [DUCKDB, 'the records that the filter of a key allows'], {
    'the filter of a key for people': ['`allowed_people_${number}` }', 'people.table }'],
    'errors of the filter of a key': ["error === undefined ? '' :", "error === undefined || true ? '' :"],
    'the time zone of the filter of a key': [
      '{ ...moment, parametersBefore',
      "{ ...moment, timeZone: 'UTC', parametersBefore",
    ],
  }),
  ...mutate('src/service/store/person-operations.ts', PERSON, {
    'a property that is set once': ['draft.has(name) || draft.set(name, value)', 'draft.set(name, value)'],
    'the number before an addition': ['draft.has(name) ? draft.get(name) : 0', '0'],
    'a sum that is not finite': ['if (Number.isFinite(sum)) draft', 'draft'],
  }),
  ...mutate('src/service/store/duckdb/flush-events.ts', STORE, {
    'insert IDs': ['ids > 0 &&', 'ids < 0 &&'],
  }),
  ...mutate('src/service/store/duckdb/flush-people.ts', STORE, {
    'the profile before an update': ['SELECT distinct_id, 0, properties FROM', "SELECT distinct_id, 0, '{}' FROM"],
    'deleted people': ['appender.appendNull()', "appender.appendVarchar('{}')"],
  }),
  ...mutate('src/service/server/access/signed-access.ts', SIGNED, {
    'the expiry of a signature': ['Number(expire) <= now', 'Number(expire) <= 0'],
    'the signature': ['isSameSignature(signature, signParameters(parameters, secret))', 'secret !== ""'],
    'the permissions of a signature': [
      "permissions: ['query'], isSigned",
      "scopes: ['query', 'import', 'datasets', 'annotations'], isSigned",
    ],
    'parameters that an endpoint does not have': [
      'if (unknown !== undefined)\n    throw',
      'if (unknown === "")\n    throw',
    ],
  }),
  ...mutate('src/queries/in-memory/retention.ts', TIES_IN_MEMORY, {
    'returns before the start': ['(times[this.from] as number) < time) this', '(times[this.from] as number) < 0) this'],
  }),
  ...mutate('src/service/analytics/queries/retention.ts', TIES_IN_SQL, {
    'returns before the start in SQL': ['WHERE "time" >= since AND', 'WHERE'],
  }),
];
