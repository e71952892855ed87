import { type Mutant, mutate } from './mutant.ts';

const ZONES = ['test/lang/engines/sql/duckdb.test.ts', 'datetime-zones'] as const;
const ZONES_IN_POSTGRESQL = ['test/lang/engines/sql/postgresql.test.ts', 'datetime-zones'] as const;
const OPERATORS = ['test/lang/engines/sql/duckdb.test.ts', 'binary-operators'] as const;
const EDGES = [
  'test/lang/engines/sql/duckdb.test.ts',
  'as columns agrees with the interpreter on random.ndjson',
] as const;
const RAW = ['test/lang/engines/sql/duckdb.test.ts', 'as columns agrees on numbers that are not finite'] as const;
const TO_SQL = 'test/lang/engines/sql/to-sql.test.ts';
const SCOPES = ['test/lang/engines/sql/duckdb.test.ts', 'as json agrees with the interpreter on scopes'] as const;
const QUERY_OPTIONS = 'test/api/query-options.test.ts';
const SPLIT = 'test/lang/engines/sql/pushed-filters.test.ts';

/** Mistakes in SQL. */
export const SQL_MUTANTS: readonly Mutant[] = [
  ...mutate('src/lang/operators/zone-offsets.ts', ZONES, {
    'the first of two equal local times in DuckDB': ['Math.max(before, after)', 'Math.min(before, after)'],
  }),
  ...mutate('src/lang/operators/zone-offsets.ts', ZONES_IN_POSTGRESQL, {
    'the first of two equal local times in PostgreSQL': ['Math.max(before, after)', 'Math.min(before, after)'],
  }),
  ...mutate('src/lang/engines/sql/lowering.ts', ZONES, {
    'the time zone in DuckDB': ['sql : zoneSeconds(sql, first, timeZone, this.dialect)', 'sql : sql'],
  }),
  ...mutate('src/lang/engines/sql/lowering.ts', ZONES_IN_POSTGRESQL, {
    'the time zone in PostgreSQL': ['sql : zoneSeconds(sql, first, timeZone, this.dialect)', 'sql : sql'],
  }),
  ...mutate('src/lang/engines/sql/zoned-seconds.ts', ZONES, {
    'dates with an offset in a time zone': ['caseWhen([[hasZone, seconds]], infix', 'caseWhen([], infix'],
  }),
  ...mutate('src/lang/engines/sql/lower-checked.ts', ZONES, {
    'the time zone of `toSql`': [
      'getSourceTypes(source, properties), timeZone }',
      'getSourceTypes(source, properties) }',
    ],
  }),
  ...mutate('src/api/verify/probe-table.ts', ['test/cli/verify-sql.test.ts', 'installed DuckDB is exact'], {
    'the time zone of a probe': [
      '{ now: PROBE_TIME, parametersBefore, timeZone }',
      '{ now: PROBE_TIME, parametersBefore }',
    ],
  }),
  ...mutate('test/lang/engines/sql/layouts.ts', ZONES, {
    'the time zone of a vector': [
      'toStoredPart(properties, holdsNul) ?? {}, user: toStoredPart(user, holdsNul), ...query',
      'toStoredPart(properties, holdsNul) ?? {}, user: toStoredPart(user, holdsNul), now: query.now',
    ],
  }),
  ...mutate('src/lang/engines/sql/comparisons.ts', OPERATORS, {
    'missing values that are equal': ['(left.types & right.types & UNDEFINED) !== 0', 'false'],
    'null that equals null': ['lefts.null && rights.null', 'false && rights.null'],
    'lists that are equal': ['lefts.list && rights.list', 'undefined && rights.list'],
  }),
  ...mutate('src/lang/engines/sql/condition.ts', EDGES, {
    'a negation that is null': ['isNullable ? dialect.isNotTrue(sql) : not(sql)', 'not(sql)'],
    'infinite numbers': ['number.isFinite) return number?.sql;', 'number.sql) return number?.sql;'],
  }),
  ...mutate('src/lang/engines/sql/lowering.ts', EDGES, {
    'the operator of a chain': ["plan.decidedBy ? 'or' : 'and'", "plan.decidedBy ? 'or' : 'or'"],
  }),
  ...mutate('src/lang/engines/sql/lower-columns.ts', OPERATORS, {
    'the column of lists': ['list !== undefined &&', 'list === null &&'],
    'the column of nulls': ['isNull !== undefined &&', 'isNull === null &&'],
  }),
  ...mutate('src/lang/engines/sql/lower-columns.ts', TO_SQL, {
    'the column of strings': ['string !== undefined &&', 'string === null &&'],
  }),
  ...mutate('src/lang/engines/sql/split.ts', SPLIT, {
    'the rest of a split filter': ['createChain(tree, unsupported) }', 'createChain(tree, unsupported.slice(1)) }'],
    'type errors of the rest': ['const pushed = mayFail ? undefined :', 'const pushed ='],
    'an operand of `or` without SQL': [': known.length === parts.length', ': known.length > 0'],
  }),
  ...mutate('src/lang/engines/sql/comparisons.ts', RAW, {
    'booleans in a list': ['values.includes(false)) add(not(boolean.sql)', 'values.includes(false)) add(boolean.sql'],
  }),
  ...mutate('src/lang/engines/sql/lowering.ts', RAW, {
    'infinite numbers in a range': ["isUpwards ? compare(number.sql, '<', positive)", 'isUpwards ? comparison'],
  }),
  ...mutate('src/lang/engines/sql/lower-columns.ts', RAW, {
    'the column of numbers': ['number !== undefined &&', 'number === null &&'],
    'the column of booleans': ['boolean !== undefined &&', 'boolean === null &&'],
  }),
  ...mutate('src/lang/engines/sql/lowering.ts', SCOPES, {
    'the columns of the user': ['this.source[scope], name)', 'this.source.properties, name)'],
  }),
  ...mutate('test/lang/engines/sql/layouts.ts', SCOPES, {
    'the user of a vector': ['user: toStoredPart(user, holdsNul), ...query', '...query'],
  }),
  ...mutate('src/api/to-sql.ts', QUERY_OPTIONS, {
    'the time zone of the rest of `splitSql`': [
      'compileWhere(print(rest), { ...limits, now: time })',
      'compileWhere(print(rest), { now: time })',
    ],
    'the time of the rest of `splitSql`': [
      'compileWhere(print(rest), { ...limits, now: time })',
      'compileWhere(print(rest), { ...limits, now: 0 })',
    ],
    'the time of a statement': ['source, toClock(now)(), parametersBefore)', 'source, 0, parametersBefore)'],
    'the time zone of the pushed part of `splitSql`': [
      "prepare(splitSql, expression, 'where', limits)",
      "prepare(splitSql, expression, 'where', {})",
    ],
  }),
];
