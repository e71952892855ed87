import { type Compiled, compile } from '../api/expressions.ts';
import { type Expression, walk } from '../lang/ast.ts';
import { ExpressionTypeError } from '../lang/errors.ts';
import type { Span } from '../lang/source.ts';
import { parse } from '../lang/syntax/parse.ts';
import type { Properties, Value } from '../lang/value.ts';
import type { EventRecord } from './event-record.ts';

/** Types that few properties have throughout: numbers and booleans are often written as strings. */
export type ComparedType = 'number' | 'boolean';

/** A literal of the language. */
type Scalar = string | number | boolean;

/** A property that an expression reads, the values that it should have, and the types that it is compared with. */
export interface NamedProperty {
  readonly scope: 'properties' | 'user';
  readonly name: string;
  readonly values: readonly Scalar[];
  readonly types: readonly ComparedType[];
}

/** The names in a query of records: the event, properties and values that records should have. */
export interface Named {
  readonly event: string | undefined;
  readonly properties: readonly NamedProperty[];
  /** The expression that should be a number at least once. */
  readonly number: Compiled<Value> | undefined;
}

/** A question about records. */
export interface Question {
  /** The expressions that it evaluates. */
  readonly sources: readonly string[];
  readonly event?: string | undefined;
  /** The expression that it adds up, if any. */
  readonly number?: string | undefined;
  /** The value of `now`, in Unix seconds. */
  readonly now: number;
}

/** Lists what a question names: its event, properties, and the values that its expressions compare properties with. */
export function listNamed({ sources, event, number: source, now }: Question): Named {
  const properties = new Map<string, NamedProperty & { readonly values: Scalar[]; readonly types: ComparedType[] }>();
  for (const { scope, name, value, type } of sources.flatMap(listReads)) {
    const key = `${scope} ${name}`;
    const named = properties.get(key) ?? { scope, name, values: [], types: [] };
    properties.set(key, named);
    if (value !== undefined && !named.values.includes(value)) named.values.push(value);
    if (type !== undefined && !named.types.includes(type)) named.types.push(type);
  }
  const number = source === undefined ? undefined : compile(source, { now });
  return {
    event,
    properties: [...properties.values()],
    // Another warning reports an expression that cannot be a number.
    number: number?.types.includes('number') ? number : undefined,
  };
}

/** A place in an expression that reads a property, or a value that it compares the property with. */
export interface Mention {
  readonly scope: NamedProperty['scope'];
  readonly name: string;
  /** The value; undefined for the place that reads the property. */
  readonly value: Scalar | undefined;
  readonly span: Span;
}

/** Lists where an expression reads properties, and the values that it compares them with. */
export function listMentions(source: string): Mention[] {
  return listReads(source).filter(({ value, type }) => value !== undefined || type === undefined);
}

/** A {@link Mention}, or the place of a number that the property is above or below. */
interface Read extends Mention {
  readonly type?: ComparedType | undefined;
}

function listReads(source: string): Read[] {
  const reads: Read[] = [];
  const add = (node: Expression, span: Span, value?: Scalar, isOrder = false) => {
    if (node.kind !== 'property') return;
    const read = { scope: node.scope === 'user' ? 'user' : 'properties', name: node.name, span } as const;
    const type = value === undefined || typeof value === 'string' ? undefined : (typeof value as ComparedType);
    // A limit that values are above or below need not occur itself.
    if (!isOrder) reads.push({ ...read, value, type });
    else if (type !== undefined) reads.push({ ...read, value: undefined, type });
  };
  for (const node of walk(parse(source))) {
    add(node, node.span);
    if (node.kind === 'membership') for (const { span, value } of node.items) add(node.operand, span, value);
    if (node.kind !== 'binary') continue;
    const isOrder = ORDERS.has(node.operator);
    if (!isOrder && node.operator !== '==' && node.operator !== '!=') continue;
    for (const [read, other] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      if (other.kind === 'literal') add(read, other.span, other.value, isOrder);
    }
  }
  return reads;
}

const ORDERS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** The key of a number. */
export const NUMBER_KEY = 'number';

/** Returns the keys of all named things. */
export function listKeys({ event, properties, number }: Named): string[] {
  return [
    ...(event === undefined ? [] : [getEventKey(event)]),
    ...properties.flatMap((named) => [
      getKey(named),
      ...named.values.map((value) => getKey(named, value)),
      ...named.types.map((type) => getTypeKey(named, type)),
    ]),
    ...(number === undefined ? [] : [NUMBER_KEY]),
  ];
}

/** Returns the key of a property, or of one of its values. */
export function getKey({ scope, name }: NamedProperty, value?: Scalar): string {
  return JSON.stringify(value === undefined ? [scope, name] : [scope, name, value]);
}

/** Returns the key of a type of a property. */
export function getTypeKey({ scope, name }: NamedProperty, type: ComparedType): string {
  return JSON.stringify([scope, name, type, 'type']);
}

/** Returns the key of the name of an event. */
export function getEventKey(event: string): string {
  return JSON.stringify([event]);
}

/** Finds which named things occur in records. Costs nothing once all of them have occurred. */
export class Occurrences {
  private event: string | undefined;
  private number: Compiled<Value> | undefined;
  private properties: Wanted[];
  private found: string[] = [];

  constructor(named: Named) {
    this.event = named.event;
    this.number = named.number;
    this.properties = named.properties.map((property) => {
      return { named: property, occurred: false, values: new Set(property.values), types: new Set(property.types) };
    });
  }

  /** Whether everything has occurred. */
  get areComplete(): boolean {
    return this.event === undefined && this.number === undefined && this.properties.length === 0;
  }

  add(record: Pick<EventRecord, 'event' | 'properties' | 'user'>): void {
    if (this.event !== undefined && record.event === this.event) {
      this.found.push(getEventKey(this.event));
      this.event = undefined;
    }
    if (this.number !== undefined && isNumber(this.number, record)) {
      this.found.push(NUMBER_KEY);
      this.number = undefined;
    }
    for (const wanted of this.properties) {
      const properties = wanted.named.scope === 'user' ? record.user : record.properties;
      if (properties === undefined || !Object.hasOwn(properties, wanted.named.name)) continue;
      if (!wanted.occurred) this.found.push(getKey(wanted.named));
      wanted.occurred = true;
      if (wanted.values.size > 0 || wanted.types.size > 0) this.addValues(wanted, properties[wanted.named.name]);
    }
    if (this.found.length === 0) return;
    this.properties = this.properties.filter(
      ({ occurred, values, types }) => !occurred || values.size > 0 || types.size > 0,
    );
  }

  /** Returns the keys of what occurred for the first time since the last call. */
  take(): readonly string[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private addValues(wanted: Wanted, value: Properties[string]): void {
    if (Array.isArray(value)) for (const element of value) this.addValue(wanted, element as Scalar);
    else this.addValue(wanted, value as Scalar);
  }

  private addValue({ named, values, types }: Wanted, value: Scalar): void {
    if (values.delete(value)) this.found.push(getKey(named, value));
    const type = typeof value as ComparedType;
    if (types.delete(type)) this.found.push(getTypeKey(named, type));
  }
}

/** A property, and what has not occurred of it. */
interface Wanted {
  readonly named: NamedProperty;
  occurred: boolean;
  readonly values: Set<Scalar>;
  readonly types: Set<ComparedType>;
}

/** Returns the strings of a value: itself, or the elements of a list. */
export function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : [];
}

function isNumber(
  expression: Compiled<Value>,
  { properties, user }: Pick<EventRecord, 'properties' | 'user'>,
): boolean {
  try {
    return typeof expression(properties, user) === 'number';
  } catch (error) {
    if (error instanceof ExpressionTypeError) return false;
    throw error;
  }
}
