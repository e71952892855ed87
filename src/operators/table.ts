import type { BinaryName, Expression, FunctionName, LogicalName, PrefixName } from '../language/ast.ts';
import { isSubset, type TypeSet, typeNames, typeSet, UNDEFINED } from '../language/types.ts';
import { typeOf, type Value } from '../language/value.ts';
import { unreachable } from '../util/unreachable.ts';
import { ARITHMETIC, NEGATION } from './arithmetic.ts';
import { CASTS } from './casts.ts';
import { COMPARISON } from './comparison.ts';
import { LOGIC } from './logic.ts';
import { type LogicalRow, type OperatorRow, type Overload, POWER, type Power, type StrictRow } from './row.ts';
import { TEXT } from './text.ts';
import { TIME } from './time.ts';

export const LOGICAL: Readonly<Record<LogicalName, LogicalRow>> = { or: LOGIC.or, and: LOGIC.and };

export const PREFIX: Readonly<Record<PrefixName, StrictRow>> = { not: LOGIC.not, '-': NEGATION };

const { floor, round, ceil, ...SYMBOLS } = ARITHMETIC;

export const BINARY: Readonly<Record<BinaryName, StrictRow>> = { ...COMPARISON, ...TEXT, ...SYMBOLS };

export const FUNCTIONS: Readonly<Record<FunctionName, StrictRow>> = {
  floor,
  round,
  ceil,
  ...CASTS,
  datetime: TIME.datetime,
};

/** Every row, loosest first, functions last: what the reference page lists. */
export const OPERATORS: readonly OperatorRow[] = [
  LOGIC.or,
  LOGIC.and,
  LOGIC.not,
  ...Object.values(BINARY),
  NEGATION,
  ...Object.values(FUNCTIONS),
  TIME.now,
];

/** How tight a node holds together: where its place needs more, it stands in parentheses. */
export function powerOf(node: Expression): Power {
  switch (node.kind) {
    case 'literal':
    case 'property':
    case 'now':
    case 'call':
      return POWER.primary;
    case 'prefix':
      return PREFIX[node.operator].power;
    case 'binary':
    case 'timeComparison':
    case 'membership':
      return BINARY[node.operator].power;
    case 'logical':
      return LOGICAL[node.operator].power;
    default:
      return unreachable(node);
  }
}

/** The overloads that operands of these static types can meet. */
export function candidates(row: StrictRow, operands: readonly TypeSet[]): readonly Overload[] {
  return row.overloads.filter((overload) =>
    overload.operands.every((accepted, index) => ((operands[index] ?? 0) & accepted) !== 0),
  );
}

/** The types that the operator's answer can have, for operands of these static types. */
export function resultTypes(row: StrictRow, operands: readonly TypeSet[]): TypeSet {
  const reachable = candidates(row, operands);
  const results = reachable.reduce((types, overload) => types | overload.result, 0);
  return covers(reachable, operands) ? results : results | UNDEFINED;
}

/** Whether every combination of the operands' types has an overload. */
function covers(overloads: readonly Overload[], operands: readonly TypeSet[]): boolean {
  return combinations(operands).every((types) => overloads.some((overload) => accepts(overload, types)));
}

function combinations(operands: readonly TypeSet[]): TypeSet[][] {
  return operands.reduce<TypeSet[][]>(
    (combined, set) => combined.flatMap((types) => singletons(set).map((type) => [...types, type])),
    [[]],
  );
}

function singletons(set: TypeSet): TypeSet[] {
  return typeNames(set).map((name) => typeSet([name]));
}

function accepts(overload: Overload, operands: readonly TypeSet[]): boolean {
  return overload.operands.every((accepted, index) => isSubset(operands[index] ?? 0, accepted));
}

/** What a strict operator answers for these values. */
export function apply(row: StrictRow, operands: readonly Value[]): Value {
  const types = operands.map(typeOf);
  const overload = row.overloads.find((candidate) => accepts(candidate, types));
  return overload?.answer(...(operands as never[]));
}
