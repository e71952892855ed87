import type { BinaryName, Expression, FunctionName, LogicalName, PrefixName } from '../language/ast.ts';
import { unreachable } from '../util/unreachable.ts';
import { ARITHMETIC, NEGATION } from './arithmetic.ts';
import { CASTS } from './casts.ts';
import { COMPARISON } from './comparison.ts';
import { LOGIC } from './logic.ts';
import { type LogicalRow, type OperatorRow, POWER, type Power, type StrictRow } from './row.ts';
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

/** The name of each overload of each strict operator. */
export type OverloadId = IdsOf<
  | (typeof ARITHMETIC)[keyof typeof ARITHMETIC]
  | (typeof CASTS)[keyof typeof CASTS]
  | (typeof COMPARISON)[keyof typeof COMPARISON]
  | (typeof TEXT)['in']
  | (typeof TIME)['datetime']
  | typeof LOGIC.not
  | typeof NEGATION
>;

type IdsOf<Row> = Row extends { readonly overloads: readonly { readonly id: infer Id }[] } ? Id : never;

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
