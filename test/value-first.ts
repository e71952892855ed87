import fc, { type Arbitrary } from 'fast-check';
import { isWellFormed } from '../src/base/strings.ts';
import { Random } from '../src/data/random.ts';
import { roundDownToNext, roundUpToNext } from '../src/lang/adjacent-doubles.ts';
import { type Expression, isDatetimeCall, type Literal, type LogicalName, type NodeOf } from '../src/lang/ast.ts';
import { interpret } from '../src/lang/engines/interpret.ts';
import { ExpressionTypeError } from '../src/lang/errors.ts';
import type { Overload } from '../src/lang/operators/row.ts';
import { LOGICAL } from '../src/lang/operators/table.ts';
import { MAX_SECONDS } from '../src/lang/operators/time.ts';
import { ANY, BOOLEAN, LIST, NUMBER, STRING, type TypeSet } from '../src/lang/types.ts';
import { formatDecimal, getType, isEqual, type Scalar, undefinedIfNotFinite, type Value } from '../src/lang/value.ts';
import {
  literal,
  logical,
  membership,
  NAMES,
  type Operator,
  prefix,
  property,
  RAW_VALUES,
  STRICT,
  TRICKY_VALUES,
} from './arbitraries.ts';
import type { Input } from './engines.ts';

/** An expression, and records with the values that it is built around. All have the same `now`, as in a query. */
export interface Case {
  readonly tree: Expression;
  readonly records: readonly Input[];
}

/** Draws cases with a number of records. They do not shrink, because the seed alone determines a case. */
export function valueFirst(records: number): Arbitrary<Case & { readonly seed: number }> {
  return fc.noShrink(fc.noBias(fc.nat())).map((seed) => ({ seed, ...drawCase(seed, records) }));
}

/** Draws a record, an expression around its values, and more records whose values are close to those of the first. */
export function drawCase(seed: number, records: number): Case {
  const drawer = new Drawer(new Random(seed));
  const tree = drawer.root();
  return { tree, records: drawer.records(records) };
}

type Draw = (random: Random) => Value;

function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(0, items.length - 1)] as Item;
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => random.integer(0, 9)).join('');
}

function sign(random: Random): string {
  return random.chance(0.5) ? '-' : '';
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** Draws a zone, including hours and minutes that do not exist. */
function zone(random: Random): string {
  return `${oneOf(random, ['+', '-'])}${twoDigits(random.integer(0, 25))}:${twoDigits(random.integer(0, 61))}`;
}

/** Families of edge cases that engines tend to get wrong. */
const FAMILIES: readonly Draw[] = [
  (random) => oneOf(random, TRICKY_VALUES),
  (random) => oneOf(random, TRICKY_VALUES),
  (random) => String.fromCodePoint(random.integer(0, 0xff)),
  (random) => Number(`${sign(random)}1`) * 2 ** random.integer(-1074, 1023),
  (random) => Number(`${sign(random)}1e${random.integer(-323, 308)}`),
  (random) => random.integer(-20, 20),
  (random) => Number(`${sign(random)}1${digits(random, random.integer(15, 16))}`),
  (random) => sign(random) + digits(random, random.integer(15, 18)),
  (random) => `0${oneOf(random, 'xXoObB'.split(''))}${random.integer(0, 1)}${random.integer(0, 1)}`,
  (random) => `${1968 + random.integer(0, 60)}-02-${random.integer(27, 30)}T23:59:59${zone(random)}`,
  (random) => random.chance(0.5),
  (random) => Array.from({ length: random.integer(0, 4) }, () => toScalar(drawValue(random, ANY & ~LIST))),
];

/** Draws values until one has one of the types, at most 13. */
function drawValue(random: Random, types: TypeSet): Value {
  let value = oneOf(random, FAMILIES)(random);
  for (let tries = 0; tries < 12 && (getType(value) & types) === 0; tries++) value = oneOf(random, FAMILIES)(random);
  return value;
}

function toScalar(value: Value): Scalar {
  return value === undefined || typeof value === 'object' ? null : value;
}

function dateText(seconds: number, random: Random): Value {
  if (!(seconds >= 0 && seconds <= MAX_SECONDS)) return String(seconds);
  const text = new Date(seconds * 1000).toISOString();
  return oneOf(random, [text, text.slice(0, 10), `${text.slice(0, 19)}+00:00`, text.slice(0, 19).replace('T', ' ')]);
}

type Near<Of> = (value: Of, random: Random) => Value;

// biome-ignore format: data, to be read by its rows
const NEAR_NUMBERS: readonly Near<number>[] = [
  roundUpToNext, roundDownToNext, (number) => -number, (number) => number + 1, Math.trunc, (number) => number * 1000,
  formatDecimal, String, (number) => number.toExponential(), (number) => `0${formatDecimal(number)}`,
  (number) => `${formatDecimal(number)}.0`, dateText, (number) => number !== 0, (number) => [number],
];

// biome-ignore format: data, to be read by its rows
const NEAR_TEXTS: readonly Near<string>[] = [
  (text) => text.slice(0, -1), (text) => text.slice(1), (text) => text.slice(0, text.length / 2),
  (text) => `${text}a`, (text) => ` ${text}`, (text) => text + text, (text) => [text, text.slice(1)],
  (text) => text.toUpperCase(), (text) => text.toLowerCase(), (text) => JSON.stringify(text),
  Number, (text) => Date.parse(text) / 1000, (text) => text === 'true', oneCharacterOff, oneCharacterOff,
];

// biome-ignore format: data, to be read by its rows
const NEAR_LISTS: readonly Near<readonly Scalar[]>[] = [
  (list) => list[0], (list) => list.slice(1), (list) => list.toReversed(), (list) => [...list, null],
  (list) => JSON.stringify(list), (list) => list.map(String), someElementsOff, someElementsOff,
];

// biome-ignore format: data, to be read by its rows
const NEAR_OTHERS: readonly Near<boolean | null | undefined>[] = [
  (value) => !value, String, Number, (value) => (value ? 'yes' : 'no'), () => null, () => undefined,
  (value) => [value ?? null],
];

function oneCharacterOff(text: string, random: Random): string {
  const at = random.integer(0, Math.max(0, text.length - 1));
  return text.slice(0, at) + String.fromCharCode((text.charCodeAt(at) || 0) + 1) + text.slice(at + 1);
}

function someElementsOff(list: readonly Scalar[], random: Random): Value {
  return list.map((element) => (random.chance(0.5) ? element : toScalar(near(element, random))));
}

/** Draws a value that is easily confused with another: equal, one ulp off, spelled differently, converted or a part. */
function near(value: Value, random: Random): Value {
  if (random.chance(0.35)) return value;
  const other = neighbour(value, random);
  return typeof other === 'number' ? (undefinedIfNotFinite(other) ?? value) : other;
}

function neighbour(value: Value, random: Random): Value {
  if (typeof value === 'number') return oneOf(random, NEAR_NUMBERS)(value, random);
  if (typeof value === 'string') return oneOf(random, NEAR_TEXTS)(value, random);
  if (value === null || typeof value !== 'object') return oneOf(random, NEAR_OTHERS)(value, random);
  return oneOf(random, NEAR_LISTS)(value, random);
}

/** Draws a value of one of the types near another value. A list contains it. */
function partner(value: Value, types: TypeSet, random: Random): Value {
  if (random.chance(0.2)) return drawValue(random, types);
  if (types === LIST && random.chance(0.8)) {
    const elements = Array.from({ length: random.integer(1, 3) }, () => toScalar(near(value, random)));
    return random.chance(0.3) ? elements : [...elements, toScalar(value)];
  }
  for (let tries = 0; tries < 6; tries++) {
    const close = near(value, random);
    if ((getType(close) & types) !== 0) return close;
  }
  return drawValue(random, types);
}

/** Returns the literal of a value, undefined if it has none. */
function literalOf(value: Value): Expression | undefined {
  if (typeof value === 'number' && value < 0) return prefix('-', literal(-value));
  return isLiteral(value) ? literal(value) : undefined;
}

function isLiteral(value: Value): value is Literal['value'] {
  return typeof value === 'string' ? isWellFormed(value) : typeof value === 'number' || typeof value === 'boolean';
}

/** All overloads with their operators. */
const OVERLOADS = STRICT.flatMap((operator) => operator.row.overloads.map((overload) => ({ operator, overload })));
const byResult = new Map<TypeSet, readonly { readonly operator: Operator; readonly overload: Overload }[]>();

function overloadsFor(types: TypeSet) {
  const known = byResult.get(types) ?? OVERLOADS.filter(({ overload }) => (overload.result & types) !== 0);
  byResult.set(types, known);
  return known;
}

/** Overloads of two operands that return a boolean. */
const COMPARING = overloadsFor(BOOLEAN).filter(({ overload }) => overload.operands.length === 2);

/** The unused second operand of unary operators. */
const NOTHING = literal(false);

const SCOPES = ['properties', 'properties', 'event', 'user'] as const;
const LOGICAL_NAMES = Object.keys(LOGICAL) as LogicalName[];

/** Builds an expression together with its record: values without a literal become properties of the record. */
class Drawer {
  private readonly held = { properties: new Map<string, Value>(), user: new Map<string, Value>() };
  private readonly now: number;

  constructor(private readonly random: Random) {
    const now = drawValue(random, NUMBER);
    this.now = typeof now === 'number' && now >= 0 && now <= MAX_SECONDS ? Math.trunc(now) : 1735689600;
  }

  root(): Expression {
    const { random } = this;
    return this.tree(random.integer(1, 4), oneOf(random, [BOOLEAN, BOOLEAN, BOOLEAN, NUMBER, STRING, ANY]));
  }

  records(count: number): Input[] {
    const first = { properties: this.part('properties', false), user: this.part('user', false), now: this.now };
    const others = Array.from({ length: count - 1 }, () => ({
      properties: this.part('properties', true),
      user: this.random.chance(0.1) ? undefined : this.part('user', true),
      now: this.now,
    }));
    return [first, ...others];
  }

  /** Builds an expression that mostly has one of the types. */
  private tree(depth: number, types: TypeSet): Expression {
    const { random } = this;
    if (random.chance(0.04)) return this.tree(depth, ANY);
    if ((types & NUMBER) !== 0 && random.chance(0.03)) return { kind: 'now', span: { start: 0, end: 0 } };
    if (depth === 0 || random.chance(0.1)) return this.holding(drawValue(random, types));
    if ((types & BOOLEAN) !== 0 && random.chance(0.3)) {
      return random.chance(0.5) ? this.chain(depth) : this.listed(this.tree(depth - 1, ANY));
    }
    const able = overloadsFor(types);
    // Hardly any operator returns null or a list.
    if (able.length === 0) return this.holding(drawValue(random, types));
    const { operator, overload } = oneOf(random, able);
    const [left = ANY, right] = overload.operands;
    if (right === undefined) return operator.node(this.tree(depth - 1, left), NOTHING);
    if (random.chance(0.5)) {
      const first = this.tree(depth - 1, left);
      return operator.node(first, this.beside(first, depth, right));
    }
    const last = this.tree(depth - 1, right);
    return operator.node(this.beside(last, depth, left), last);
  }

  /** Builds the other operand, mostly with a value near that of the first one. */
  private beside(operand: Expression, depth: number, types: TypeSet): Expression {
    if (this.random.chance(0.25)) return this.tree(depth - 1, types);
    const wanted = isDatetimeCall(operand) ? STRING | NUMBER : types;
    return this.holding(partner(this.valueOf(operand), wanted, this.random));
  }

  private chain(depth: number): Expression {
    const subject = this.random.chance(0.4) ? this.holding(drawValue(this.random, ANY)) : undefined;
    const operand = () => (subject === undefined ? this.tree(depth - 1, BOOLEAN) : this.test(subject));
    return logical(oneOf(this.random, LOGICAL_NAMES), Array.from({ length: this.random.integer(2, 3) }, operand));
  }

  /** Compares a property, or the one with its name in another scope, with values near its value. */
  private test(subject: Expression): Expression {
    const other = subject.kind === 'property' && this.random.chance(0.4);
    const operand = other ? this.inAnyScope(subject) : subject;
    if (this.random.chance(0.3)) return this.listed(operand);
    const { operator, overload } = oneOf(this.random, COMPARING);
    return operator.node(operand, this.beside(operand, 1, overload.operands[1] ?? ANY));
  }

  private inAnyScope(subject: NodeOf<'property'>): Expression {
    const scope = oneOf(this.random, SCOPES);
    const part = this.held[scope === 'user' ? 'user' : 'properties'];
    if (!part.has(subject.name)) part.set(subject.name, near(this.valueOf(subject), this.random));
    return { ...subject, scope };
  }

  /** Builds `in` with a literal list of values near that of the operand. */
  private listed(operand: Expression): Expression {
    const value = this.valueOf(operand);
    const items = Array.from({ length: this.random.integer(0, 4) }, () => near(value, this.random));
    return membership(
      operand,
      items.filter(isLiteral).map((item) => literal(item)),
    );
  }

  /** Builds a leaf with a value: a literal or a property. */
  private holding(value: Value): Expression {
    const written = literalOf(value);
    if (written !== undefined && this.random.chance(0.4)) return written;
    const scope = oneOf(this.random, SCOPES);
    const [name] = oneOf(this.random, NAMES);
    const part = this.held[scope === 'user' ? 'user' : 'properties'];
    if (part.has(name) && !isEqual(part.get(name), value) && written !== undefined) return written;
    if (!part.has(name)) part.set(name, value);
    return property(name, scope);
  }

  private valueOf(tree: Expression): Value {
    try {
      const [properties, user] = [Object.fromEntries(this.held.properties), Object.fromEntries(this.held.user)];
      return interpret(tree, { properties, user, now: this.now }, '');
    } catch (error) {
      if (error instanceof ExpressionTypeError) return undefined;
      throw error;
    }
  }

  private part(scope: 'properties' | 'user', varied: boolean): Record<string, unknown> {
    const own: Record<string, unknown> = this.random.chance(0.1) ? Object.create(null) : {};
    for (const [name, value] of this.held[scope]) {
      if (varied && this.random.chance(0.04)) continue;
      const held = varied ? this.variation(value) : value;
      Object.defineProperty(own, name, { value: held, writable: true, enumerable: true, configurable: true });
    }
    return own;
  }

  private variation(value: Value): unknown {
    const fate = this.random.fraction();
    if (fate < 0.7) return near(value, this.random);
    if (fate < 0.8) return drawValue(this.random, getType(value));
    return fate < 0.95 ? drawValue(this.random, ANY) : oneOf(this.random, RAW_VALUES);
  }
}
