import { isDeepStrictEqual } from 'node:util';
import { evaluatePartially } from '../../src/api/explain.ts';
import type { Expression } from '../../src/lang/ast.ts';
import { checkTree } from '../../src/lang/check/check.ts';
import type { PartialInput } from '../../src/lang/check/context.ts';
import { createBatchFromRecords } from '../../src/lang/engines/columnar/batch-from-records.ts';
import { columnar as columnarEngine } from '../../src/lang/engines/columnar/columnar.ts';
import { findTimeZone } from '../../src/lang/operators/time-zone.ts';
import { getValue } from '../../src/lang/plan/batch-column.ts';
import { parse } from '../../src/lang/syntax/parse.ts';
import { print } from '../../src/lang/syntax/print.ts';
import { Difference } from '../difference.ts';
import { ENGINES, type Engine, type Input, type Outcome, outcome, withoutSpan } from '../engines.ts';
import { respell } from '../respell.ts';
import type { Case } from '../value-first.ts';

/** A case for one use, with the interpreter's outcome for each record. */
interface CaseUse {
  readonly source: string;
  readonly tree: Expression;
  readonly where: boolean;
  /** The time zone of all records. */
  readonly timeZone: string;
  readonly records: readonly Input[];
  readonly expected: readonly Outcome[];
}

/** Compares something with the interpreter. Returns the number of compared results, and throws if one differs. */
type Check = (caseUse: CaseUse) => number;

const { interpret: reference = failWithoutInterpreter, columnar: _, ...others } = ENGINES;

function failWithoutInterpreter(): never {
  throw new Error('The interpreter is missing');
}

/** The checks by name: every engine, printing, and partial evaluation. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(Object.entries(others).map(([name, engine]) => [name, createEngineCheck(name, engine)])),
  columnar: checkColumnar,
  print: checkPrint,
  partial: checkPartial,
};

/** If this many records all fail, the others are skipped. */
const ENOUGH_FAILURES = 8;

/** Runs the checks on a case for each use, and returns the number of compared results. */
export function compareCase({ tree, records }: Case, checks: readonly string[]): number {
  const source = print(tree);
  const parsed = parse(source);
  const timeZone = records[0]?.timeZone ?? 'UTC';
  let compared = 0;
  for (const where of [false, true]) {
    const run = reference(source, parsed, where, timeZone);
    const limit = records.slice(0, ENOUGH_FAILURES).every((record) => 'operator' in outcome(run, record))
      ? ENOUGH_FAILURES
      : Infinity;
    const selected = records.slice(0, limit);
    const expected = selected.map((record) => outcome(run, record));
    const caseUse = { source, tree: parsed, where, timeZone, records: selected, expected };
    if (checks.includes('print')) compared += expectSameTree(tree, caseUse);
    for (const check of checks) compared += CHECKS[check]?.(caseUse) ?? 0;
  }
  return compared;
}

function expectSame(check: string, got: Outcome, expected: Outcome, instead?: string): void {
  if ('value' in got && 'value' in expected && Object.is(got.value, expected.value)) return;
  if (!isDeepStrictEqual(got, expected)) throw new Difference(check, got, expected, instead);
}

function createEngineCheck(name: string, engine: Engine): Check {
  return ({ source, tree, where, timeZone, records, expected }) => {
    const run = engine(source, tree, where, timeZone);
    for (const [index, record] of records.entries()) expectSame(name, outcome(run, record), expected[index] as Outcome);
    return records.length;
  };
}

/** Evaluates all records as one batch: a selection of those that do not fail, and the whole batch. */
function checkColumnar({ source, tree, where, timeZone, records, expected }: CaseUse): number {
  const checked = checkTree(source, tree, where ? 'where' : 'value', { timeZone: findTimeZone(timeZone) });
  const batch = createBatchFromRecords(records, checked.properties);
  const now = records[0]?.now ?? 0;
  const select = where ? columnarEngine.toSelection(checked) : undefined;
  const evaluate = columnarEngine.toColumn(checked);
  const run = (selection: Uint32Array | undefined): ((row: number) => Outcome) => {
    if (select !== undefined) {
      const selected = new Set(select(batch, selection, now));
      return (row) => ({ value: selected.has(selection?.[row] ?? row) });
    }
    const column = evaluate(batch, selection, now);
    return (row) => ({ value: getValue(column, row) });
  };
  const succeeded = [...expected.keys()].filter((row) => 'value' in (expected[row] as Outcome));
  const part = run(Uint32Array.from(succeeded));
  for (const [row, index] of succeeded.entries()) expectSame('columnar', part(row), expected[index] as Outcome);
  const failed = expected.find((result) => 'operator' in result);
  if (failed !== undefined) {
    const runWhole = () => {
      run(undefined);
      return 'no type error';
    };
    expectSame('columnar', outcome(runWhole, { properties: {} }), failed);
    return succeeded.length + 1;
  }
  const whole = run(undefined);
  for (const [row, result] of expected.entries()) expectSame('columnar', whole(row), result);
  return succeeded.length + expected.length;
}

/** Compares the original tree with the one that was printed and parsed. */
function expectSameTree(drawn: Expression, { source, where, timeZone, records, expected }: CaseUse): number {
  const run = reference(source, drawn, where, timeZone);
  for (const [index, record] of records.entries()) {
    expectSame('print', withoutSpan(outcome(run, record)), withoutSpan(expected[index] as Outcome));
  }
  return records.length;
}

/** Checks that the expression in another spelling is printed the same. */
function checkPrint({ source, tree }: CaseUse): number {
  const spelled = respell(tree, source.length);
  const again = print(parse(spelled));
  if (again !== source) throw new Difference('print', again, source, spelled);
  return 1;
}

/** Checks that partial evaluation with known properties does not change the result for records that have them. */
function checkPartial({ source, tree, where, timeZone, records }: CaseUse): number {
  const [first] = records;
  if (first === undefined) return 0;
  const half = Object.fromEntries(Object.entries(first.properties).filter((_, index) => index % 2 === 0));
  const all: readonly PartialInput[] = [
    { properties: first.properties },
    { properties: half, user: first.user ?? {} },
    { user: first.user ?? {}, now: first.now ?? 0 },
  ];
  const whole = reference(source, tree, where, timeZone);
  for (const known of all) {
    const left = evaluatePartially(source, known, { use: where ? 'where' : 'value', timeZone });
    const rest = reference(left, parse(left), where, timeZone);
    for (const { properties, user, now } of records) {
      const record = {
        properties: { ...properties, ...known.properties },
        user: known.user ? { ...user, ...known.user } : user,
        now,
      };
      expectSame('partial', withoutSpan(outcome(rest, record)), withoutSpan(outcome(whole, record)), left);
    }
  }
  return all.length * records.length;
}
