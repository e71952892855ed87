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
  ...mutate('src/queries/in-memory/memory-events.ts', TIES_IN_MEMORY, {
    'gaps of a range': [' && !gaps.some((gap) => isInRange(time, gap))', ''],
    'the end of a range': ['time < to &&', 'time <= to &&'],
  }),
  ...mutate('src/queries/in-memory/memory-events.ts', OPTIONS_IN_MEMORY, {
    'the time zone of a filter': [
      "'where', () => compileWhere(where, { now, timeZone })",
      "'where', () => compileWhere(where, { now })",
    ],
    'the time of a filter': [
      "'where', () => compileWhere(where, { now, timeZone })",
      "'where', () => compileWhere(where, { now: 0, timeZone })",
    ],
    'the user of an event': ['evaluate(properties, profile)', 'evaluate(properties)'],
    'the order of equal totals': ['compareStrings(name, other))', 'compareStrings(other, name))'],
  }),
  ...mutate('src/queries/in-memory/count-series.ts', OPTIONS_IN_MEMORY, {
    'the average of users': [
      "this.type === 'unique' ? users : this.events.count / users",
      "this.type === 'unique' ? users : this.events.count",
    ],
    'unique totals': ["new Tally(type === 'unique')", 'new Tally(false)'],
  }),
  ...mutate('src/queries/in-memory/funnel.ts', TIES_IN_MEMORY, {
    'the order of steps in a second': ['left.steps.indexOf(true) - right.steps.indexOf(true) ||', ''],
  }),
  ...mutate('src/queries/in-memory/funnel.ts', OPTIONS_IN_MEMORY, {
    'the length of a funnel': ['found.time > time + length', 'found.time > time + length + 1e9'],
    'the furthest attempt': ['attempt.times.length > best.times.length', 'attempt.times.length >= best.times.length'],
    'the filter of a funnel': ['if (!selected[index] || !own', 'if (!own'],
  }),
  ...mutate('src/queries/in-memory/retention.ts', OPTIONS_IN_MEMORY, {
    'the last interval': ['interval > intervalCount', 'interval >= intervalCount'],
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
    'returns before the start': [' || lastTime < start.time', ''],
  }),
  ...mutate('src/service/analytics/queries/retention.ts', TIES_IN_SQL, {
    'returns before the start in SQL': ['WHERE "time" >= since AND', 'WHERE'],
  }),
];
