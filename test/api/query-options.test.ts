import { describe, expect, it } from 'vitest';
import { FilterSet } from '../../src/api/filter-set.ts';
import {
  CompileCache,
  codegen,
  compile,
  compileBatchOn,
  compileBatchWhere,
  compileNumber,
  compileOn,
  compileWhere,
  createBatchFromRecords,
  evaluate,
  evaluatePartially,
  explain,
  trace,
} from '../../src/api/index.ts';
import { duckdb, splitSql, toSql, toSqlStatement } from '../../src/api/sql.ts';

/** True for {@link PROPERTIES} and {@link USER} with {@link OPTIONS}, and false if any of them is ignored. */
const SOURCE = 'datetime(properties["day"]) + user["seconds"] == now';
const PROPERTIES = { day: '2025-06-01' };
const USER = { seconds: 5 };

/** 2025-06-01 began in Berlin at this time. */
const MIDNIGHT = 1_748_728_800;
const OPTIONS = { timeZone: 'Europe/Berlin', now: MIDNIGHT + 5 };

interface QueryOptions {
  readonly timeZone?: string;
  readonly now?: number | (() => number);
}

type Answer = (options: QueryOptions, user?: object) => unknown;

const batchOf = (user?: object) => createBatchFromRecords([{ properties: PROPERTIES, user }]);
const createSet = (options: QueryOptions) => new FilterSet(options).add('it', SOURCE);

/** Each function that evaluates expressions. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  evaluate: (options, user) => evaluate(SOURCE, PROPERTIES, user, options),
  compile: (options, user) => compile(SOURCE, options)(PROPERTIES, user),
  compileWhere: (options, user) => compileWhere(SOURCE, options)(PROPERTIES, user),
  compileOn: (options, user) => compileOn(SOURCE, options)(PROPERTIES, user)[0] === 'true',
  compileNumber: (options, user) => compileNumber(`number(${SOURCE})`, options)(PROPERTIES, user) === 1,
  'compileWhere with codegen': (options, user) =>
    compileWhere(SOURCE, { ...options, engine: codegen })(PROPERTIES, user),
  compileBatchWhere: (options, user) => compileBatchWhere(SOURCE, options)(batchOf(user)).length === 1,
  compileBatchOn: (options, user) => compileBatchOn(SOURCE, options)(batchOf(user)).counts.has('true'),
  CompileCache: (options, user) => new CompileCache(options).compileWhere(SOURCE)(PROPERTIES, user),
  'FilterSet.match': (options, user) => createSet(options).match(PROPERTIES, user).ids.length === 1,
  'FilterSet.matchBatch': (options, user) => createSet(options).matchBatch(batchOf(user)).rows.has('it'),
  'FilterSet.explain': (options, user) => createSet(options).explain('it', PROPERTIES, user).value,
  trace: (options, user) => trace(SOURCE, PROPERTIES, user, options).value,
};

describe.each(Object.entries(ANSWERS))('%s', (_, answer) => {
  it('reads the time zone, the time and the user', () => {
    expect(answer(OPTIONS, USER)).toBe(true);
    expect(answer({ ...OPTIONS, now: () => OPTIONS.now }, USER)).toBe(true);
    expect(answer({ now: OPTIONS.now }, USER)).toBe(false);
    expect(answer({ ...OPTIONS, now: OPTIONS.now + 1 }, USER)).toBe(false);
    expect(answer({ timeZone: OPTIONS.timeZone }, USER)).toBe(false);
    expect(answer(OPTIONS)).toBe(false);
  });
});

describe('the time zone of a constant date', () => {
  const CONSTANT = 'datetime("2025-06-01")';
  const rest = { kind: 'elsewhere' } as const;
  const SOURCE_OF_X = { table: 't', properties: { columns: { x: { number: 'x' } }, rest } };
  const { timeZone } = OPTIONS;

  it('is read by explain and evaluatePartially', () => {
    expect(explain(CONSTANT, { timeZone }).tree.constant).toEqual({ value: MIDNIGHT });
    const known = { properties: PROPERTIES, user: USER, now: OPTIONS.now };
    expect(evaluatePartially(SOURCE, known, { timeZone })).toBe('true');
    expect(evaluatePartially(SOURCE, known)).toBe('false');
    expect(evaluatePartially(SOURCE, { ...known, now: 0 }, { timeZone })).toBe('false');
    expect(evaluatePartially(SOURCE, { ...known, user: {} }, { timeZone })).not.toBe('true');
  });

  it('and `now` are read by toSql, toSqlStatement and splitSql', () => {
    const filter = `properties["x"] == ${CONSTANT} or properties["x"] == now`;
    const expected = [MIDNIGHT, OPTIONS.now];
    expect(toSql(filter, duckdb, SOURCE_OF_X, { ...OPTIONS, use: 'where' }).parameters).toEqual(expected);
    const one = { one: { expression: filter, use: 'where' } } as const;
    expect(toSqlStatement(one, duckdb, SOURCE_OF_X, OPTIONS).parameters).toEqual(expected);
    const split = splitSql(`(${filter}) and properties["y"] == ${CONSTANT} + now`, duckdb, SOURCE_OF_X, OPTIONS);
    expect(split.sql?.parameters).toEqual(expected);
    expect(split.rest?.({ y: MIDNIGHT + OPTIONS.now })).toBe(true);
  });
});
