import fc, { type Arbitrary } from 'fast-check';
import {
  type BinaryName,
  type ComparisonName,
  type Expression,
  type FunctionName,
  isDatetimeCall,
  type Literal,
  type LogicalName,
  type PrefixName,
  type Scope,
} from '../src/lang/ast.ts';
import type { StrictRow } from '../src/lang/operators/row.ts';
import { BINARY, COMPARISONS, FUNCTIONS, LOGICAL, PREFIX } from '../src/lang/operators/table.ts';
import { BOOLEAN, LIST, NUMBER, STRING, TYPE_NAMES, type TypeName, type TypeSet } from '../src/lang/types.ts';
import type { Scalar, Value } from '../src/lang/value.ts';
import { codePoint } from './code-point.ts';
import type { Input } from './engines.ts';
import { respell } from './respell.ts';

// biome-ignore format: data, to be read by its rows
const TRICKY_NUMBERS = [
  0, 1, -1, 2, 3, 7, -7, 10, 100, 0.1, 0.2, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, -0.49999999999999994,
  2 ** 52 + 0.5, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53) - 2, 1e21, 1.5e21, 1e-6, 1e-7, 1.25e-9, 5e-324, 2 ** -1022,
  Number.MAX_VALUE, -Number.MAX_VALUE, 1e308, 4294967295, 4294967295.5, 4294967296, 1735689600, 1735689600123,
];

// biome-ignore format: data, to be read by its rows
const TRICKY_STRINGS = [
  '', ' ', 'a', 'A', 'b', 'ab', 'pro', 'Pro', '0', '1', '12', '-12', '+7', '.5', '5.', '1e3', '1e400', '1e-400', '-0', '00172',
  ' 12 ', '12\n', '0x10', '1_000', 'Infinity', 'NaN', '.', 'e5', '１２', 'true', 'True', 'false', 'yes', 'no', 'null',
  '2025-01-01', '2024-02-29', '2025-02-29', '2025-13-01', '0000-01-01', '9999-12-31', '1970-01-01', '2025-01-01T10:00:00',
  '2025-01-01 10:00:00', '2025-01-01T10:00:00Z', '2025-01-01T10:00:00.999+02:00', '1969-12-31T23:59:59.5-00:30',
  '2025-03-30T02:30:00', '2025-10-26 02:30:00', '2025-03-09 02:59:59.5', '2025-11-02T01:00:00', '2500-07-01', '1890-01-01',
  '2025-01-01T24:00:00', '2025-01-01T10:00', '2025-1-1', '2025-01-01Z', '2025-01-01T10:00:00+25:00', ' 2025-01-01',
  'ß', 'ΑΣ', 'İ', '\u{1f600}', '\u{1f601}', '\uffff', '\uffffa', '\u{10ffff}', 'é', 'e\u0301', '\u0000', 'a\u0000', '"', "'", '\\', '\n', '\u2028',
];

const finiteDouble = fc.double({ noNaN: true, noDefaultInfinity: true });

/** A finite number, never negative zero. */
const number = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TRICKY_NUMBERS) },
    { weight: 2, arbitrary: fc.integer({ min: -20, max: 20 }) },
    { weight: 1, arbitrary: finiteDouble },
  )
  .map((value) => value + 0);

/** Strings without lone surrogates, which have a literal. */
const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TRICKY_STRINGS) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 6 }) },
  { weight: 1, arbitrary: finiteDouble.map(String) },
);

const scalar: Arbitrary<Scalar> = fc.oneof(number, text, fc.boolean(), fc.constant(null));

/** Edge cases that engines are likely to get wrong. */
export const TRICKY_VALUES: readonly Value[] = [
  ...TRICKY_NUMBERS,
  ...TRICKY_STRINGS,
  ...[true, false, null, undefined],
  ...[[], ['a', 1, true, null]],
];

/** Values of the language by type. */
export const valuesOf: { readonly [Name in TypeName]: Arbitrary<Value> } = {
  string: fc.oneof({ weight: 20, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom('\ud83d', 'a\ude00') }),
  number,
  boolean: fc.boolean(),
  null: fc.constant(null),
  undefined: fc.constant(undefined),
  list: fc.array(scalar, { maxLength: 4 }),
};

export const anyValue: Arbitrary<Value> = fc.oneof(...TYPE_NAMES.map((name) => valuesOf[name]));

const sparse = Object.assign(new Array<unknown>(3), { 1: 'a' });

/** Raw properties that read as undefined. */
const NO_VALUES: readonly unknown[] = [
  ...[undefined, Number.NaN, Infinity, -Infinity, {}, { length: 1, 0: 'a' }, () => 'pro', Symbol('pro'), 10n],
  ...[new Date(0), Object('pro'), Object.create(null)],
];

/** Raw properties that read as a different value. */
const OTHER_VALUES: readonly unknown[] = [-0, [-0, 0], [['a'], 'a', Number.NaN, undefined, 1], sparse];

/** Raw properties that are not values of the language. */
export const RAW_VALUES: readonly unknown[] = [...NO_VALUES, ...OTHER_VALUES];

const noValue = fc.constantFrom(...NO_VALUES);

/** Raw properties of records, values of the language or not. */
const rawProperty: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: anyValue },
  { weight: 1, arbitrary: noValue },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER_VALUES) },
);

/** The names of properties in trees and records, with the type that each mostly has. */
export const NAMES: readonly (readonly [name: string, type: TypeName | undefined])[] = [
  ['amount', 'number'],
  ['count', 'number'],
  ['plan', 'string'],
  ['seen', 'string'],
  ['paid', 'boolean'],
  ['active', 'boolean'],
  ['tags', 'list'],
  ['mixed', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
  ['toString', undefined],
  ['', undefined],
  ['say "hi"', undefined],
  ["it's", undefined],
  ['back\\slash\n', undefined],
  ['日本 \u{1f600}', undefined],
];

const SCOPES: readonly Scope[] = ['properties', 'properties', 'event', 'user'];

/** Draws own properties, including `__proto__`, of an object with or without a prototype. */
function propertiesFrom(valueFor: (type: TypeName | undefined, name: string) => Arbitrary<unknown>) {
  const entries = NAMES.map(([name, type]) => fc.tuple(fc.constant(name), valueFor(type, name)));
  return fc
    .tuple(fc.tuple(...entries), fc.subarray(NAMES.map(([name]) => name)), fc.boolean())
    .map(([all, kept, bare]) => {
      const own = Object.fromEntries(all.filter(([name]) => kept.includes(name)));
      return bare ? Object.setPrototypeOf(own, null) : own;
    }) as Arbitrary<Record<string, unknown>>;
}

const mostlyTyped = propertiesFrom((type) =>
  type === undefined
    ? rawProperty
    : fc.oneof({ weight: 6, arbitrary: valuesOf[type] }, { weight: 1, arbitrary: rawProperty }),
);

function inputFrom(properties: Arbitrary<Record<string, unknown>>): Arbitrary<Input> {
  const now = fc.constantFrom(0, 1, 1735689600, 4294967296, 253402300800);
  return fc.record({ properties, user: fc.option(properties, { nil: undefined }), now });
}

export const records: Arbitrary<Input> = inputFrom(mostlyTyped);

/** Time zones whose rules differ. */
export const TIME_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
] as const;

export const timeZones = fc.constantFrom(...TIME_ZONES);

type TypesByName = Readonly<Record<string, { readonly types: TypeName[] }>>;

/** A schema and records that match it: each property has one of its types, is missing, or reads as undefined. */
export const obedient: Arbitrary<{ schema: { properties: TypesByName; user: TypesByName }; inputs: readonly Input[] }> =
  fc
    .array(fc.subarray([...TYPE_NAMES], { minLength: 1 }), { minLength: NAMES.length, maxLength: NAMES.length })
    .chain((sets) => {
      const known = Object.fromEntries(NAMES.map(([name], index) => [name, { types: sets[index] ?? [] }]));
      const obeying = propertiesFrom((_, name) =>
        fc.oneof(...(known[name]?.types ?? []).map((type) => valuesOf[type]), { weight: 1, arbitrary: noValue }),
      );
      const inputs = fc.array(inputFrom(obeying), { minLength: 4, maxLength: 4 });
      return inputs.map((obeyed) => ({ schema: { properties: known, user: known }, inputs: obeyed }));
    });

const span = { start: 0, end: 0 };

export function literal(value: Literal['value']): Literal {
  return { kind: 'literal', value, span };
}

export function property(name: string, scope: Scope): Expression {
  return { kind: 'property', scope, name, span };
}

export function call(operator: FunctionName, operand: Expression): Expression {
  return { kind: 'call', operator, operand, span };
}

export function prefix(operator: PrefixName, operand: Expression): Expression {
  return { kind: 'prefix', operator, operand, span };
}

/** Creates a binary node or, like the parser, a comparison of times if a side is a `datetime(...)` call. */
export function binary(operator: BinaryName, left: Expression, right: Expression): Expression {
  return Object.hasOwn(COMPARISONS, operator) && (isDatetimeCall(left) || isDatetimeCall(right))
    ? { kind: 'timeComparison', operator: operator as ComparisonName, left, right, span }
    : { kind: 'binary', operator, left, right, span };
}

export function membership(operand: Expression, items: readonly Literal[]): Expression {
  return { kind: 'membership', operator: 'in', operand, items, span };
}

/** Creates a chain. Like the parser, merges a first operand that is a chain of the same operator. */
export function logical(operator: LogicalName, operands: readonly Expression[]): Expression {
  const [first, ...rest] = operands;
  return first?.kind === 'logical' && first.operator === operator
    ? logical(operator, [...first.operands, ...rest])
    : { kind: 'logical', operator, operands, span };
}

type Sides = [left: Expression, right: Expression];

/** A row of the operator table, and a function that creates its node. Unary operators ignore the second operand. */
export interface Operator {
  readonly row: StrictRow;
  readonly node: (...operands: Sides) => Expression;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}

/** All strict operators of the table. */
export const STRICT: readonly Operator[] = [
  ...namesOf(BINARY).map((name) => ({ row: BINARY[name], node: (...sides: Sides) => binary(name, ...sides) })),
  ...namesOf(PREFIX).map((name) => ({ row: PREFIX[name], node: (operand: Expression) => prefix(name, operand) })),
  ...namesOf(FUNCTIONS).map((name) => ({ row: FUNCTIONS[name], node: (operand: Expression) => call(name, operand) })),
];

const items = fc.array(
  fc.oneof(number, text, fc.boolean()).map((value) => literal(value)),
  { maxLength: 4 },
);

/** Arbitraries of trees by the type that they mostly have, one for each operand type of an operator. */
interface Level {
  readonly boolean: Arbitrary<Expression>;
  readonly number: Arbitrary<Expression>;
  readonly string: Arbitrary<Expression>;
  readonly any: Arbitrary<Expression>;
}

function properties(type?: TypeName): Arbitrary<Expression> {
  const names = NAMES.filter(([, mostly]) => type === undefined || mostly === type).map(([name]) => name);
  return fc.tuple(fc.constantFrom(...names), fc.constantFrom(...SCOPES)).map(([name, scope]) => property(name, scope));
}

const LEAVES: Level = {
  boolean: fc.oneof(properties('boolean'), properties('boolean'), fc.boolean().map(literal)),
  number: fc.oneof(
    properties('number'),
    number.map((value) => literal(Math.abs(value))),
    fc.constant({ kind: 'now', span }),
  ),
  string: fc.oneof(properties('string'), text.map(literal)),
  any: properties(),
};

/** Adds an operator on top of trees. */
function above(below: Level): Level {
  const any = fc.oneof(below.any, below.boolean, below.number, below.string);
  const mostly = (type: 'boolean' | 'number' | 'string') =>
    fc.oneof({ weight: 14, arbitrary: below[type] }, { weight: 1, arbitrary: any });
  const [booleans, numbers, strings] = [mostly('boolean'), mostly('number'), mostly('string')];
  const operandOf = (types: TypeSet) => {
    switch (types) {
      case BOOLEAN:
        return booleans;
      case NUMBER:
        return numbers;
      case STRING:
        return strings;
      case LIST:
        return fc.oneof({ weight: 3, arbitrary: properties('list') }, any);
      default:
        return any;
    }
  };
  const applied = ({ node }: Operator, operands: readonly Arbitrary<Expression>[]) =>
    fc.tuple(...operands).map((nodes) => node(...(nodes as unknown as Sides)));
  /** Draws operators with a result type, on operands of an overload with that result. */
  const answering = (type: TypeSet) => {
    const overloads = STRICT.flatMap((operator) => operator.row.overloads.map((overload) => ({ operator, overload })));
    const able = overloads.filter(({ overload }) => (overload.result & type) !== 0);
    return fc.oneof(...able.map(({ operator, overload }) => applied(operator, overload.operands.map(operandOf))));
  };
  const chains = (operand: Arbitrary<Expression>) =>
    fc
      .tuple(fc.constantFrom(...namesOf(LOGICAL)), fc.array(operand, { minLength: 2, maxLength: 4 }))
      .map((parts) => logical(...parts));
  const times = fc.oneof(strings, numbers, any).map((operand) => call('datetime', operand));
  const timeComparisons = fc
    .tuple(fc.constantFrom(...namesOf(COMPARISONS)), times, any, fc.boolean())
    .map(([operator, time, other, first]) => (first ? binary(operator, time, other) : binary(operator, other, time)));
  return {
    boolean: fc.oneof(
      LEAVES.boolean,
      chains(booleans),
      timeComparisons,
      fc.tuple(any, items).map((parts) => membership(...parts)),
      { weight: 6, arbitrary: answering(BOOLEAN) },
    ),
    number: fc.oneof(LEAVES.number, { weight: 4, arbitrary: answering(NUMBER) }),
    string: fc.oneof(LEAVES.string, { weight: 2, arbitrary: answering(STRING) }),
    any: fc.oneof(
      { weight: 6, arbitrary: any },
      { weight: 1, arbitrary: chains(any) },
      { weight: 3, arbitrary: fc.oneof(...STRICT.map((operator) => applied(operator, [any, any]))) },
    ),
  };
}

/** Draws trees with all kinds of nodes up to a depth, as the parser creates them except for their spans. */
export function expressions(depth: number): Arbitrary<Expression> {
  let level = LEAVES;
  for (let height = 0; height < depth; height++) level = above(level);
  const { boolean, number: numbers, string, any } = level;
  return fc.oneof({ weight: 5, arbitrary: boolean }, numbers, string, { weight: 3, arbitrary: any });
}

/**
 * Trees with a source that parses to them, with random white space, letter case, quotes, escape sequences, number
 * formats and needless parentheses.
 */
export const sources: Arbitrary<{ tree: Expression; source: string }> = fc
  .tuple(expressions(4), fc.noBias(fc.nat()))
  .map(([tree, seed]) => ({ tree, source: respell(tree, seed) }));
