import { type Compiled, compile } from '../api/expressions.ts';
import { type Expression, walk } from '../lang/ast.ts';
import { ExpressionTypeError } from '../lang/errors.ts';
import type { Span } from '../lang/source.ts';
import { parse } from '../lang/syntax/parse.ts';
import type { Properties, Value } from '../lang/value.ts';
import type { EventRecord } from './event-record.ts';

/** A property that an expression reads, and the strings that it compares it with. */
export interface NamedProperty {
  readonly scope: 'properties' | 'user';
  readonly name: string;
  readonly values: readonly string[];
}

/** What a question about records names: the event, properties and values that records should have. */
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

/** Lists what a question names: its event, properties, and the strings that its expressions compare properties with. */
export function listNamed({ sources, event, number: source, now }: Question): Named {
  const properties = new Map<string, NamedProperty & { readonly values: string[] }>();
  for (const { scope, name, value } of sources.flatMap(listMentions)) {
    const key = `${scope} ${name}`;
    const named = properties.get(key) ?? { scope, name, values: [] };
    properties.set(key, named);
    if (value !== undefined && !named.values.includes(value)) named.values.push(value);
  }
  const number = source === undefined ? undefined : compile(source, { now });
  return {
    event,
    properties: [...properties.values()],
    // Another warning tells of an expression that cannot be a number.
    number: number?.types.includes('number') ? number : undefined,
  };
}

/** A place in an expression that reads a property, or a string that it compares the property with. */
export interface Mention {
  readonly scope: NamedProperty['scope'];
  readonly name: string;
  /** The string; undefined for the place that reads the property. */
  readonly value: string | undefined;
  readonly span: Span;
}

/** Lists where an expression reads properties, and the strings that it compares them with. */
export function listMentions(source: string): Mention[] {
  const mentions: Mention[] = [];
  const add = (node: Expression, span: Span, value?: unknown) => {
    if (node.kind !== 'property' || (value !== undefined && typeof value !== 'string')) return;
    mentions.push({ scope: node.scope === 'user' ? 'user' : 'properties', name: node.name, value, span });
  };
  for (const node of walk(parse(source))) {
    add(node, node.span);
    if (node.kind === 'membership') for (const { span, value } of node.items) add(node.operand, span, value);
    if (node.kind !== 'binary' || (node.operator !== '==' && node.operator !== '!=')) continue;
    const { left, right } = node;
    if (right.kind === 'literal') add(left, right.span, right.value);
    if (left.kind === 'literal') add(right, left.span, left.value);
  }
  return mentions;
}

/** The key of a number. */
export const NUMBER_KEY = 'number';

/** Returns the keys of all named things. */
export function listKeys({ event, properties, number }: Named): string[] {
  return [
    ...(event === undefined ? [] : [getEventKey(event)]),
    ...properties.flatMap((named) => [getKey(named), ...named.values.map((value) => getKey(named, value))]),
    ...(number === undefined ? [] : [NUMBER_KEY]),
  ];
}

/** Returns the key of a property, or of one of its values. */
export function getKey({ scope, name }: NamedProperty, value?: string): string {
  return JSON.stringify(value === undefined ? [scope, name] : [scope, name, value]);
}

/** Returns the key of the name of an event. */
export function getEventKey(event: string): string {
  return JSON.stringify([event]);
}

/** Finds which named things occur in records. Costs nothing once all of them have occurred. */
export class Occurrences {
  private event: string | undefined;
  private number: Compiled<Value> | undefined;
  private properties: { readonly named: NamedProperty; occurred: boolean; readonly values: Set<string> }[];
  private found: string[] = [];

  constructor(named: Named) {
    this.event = named.event;
    this.number = named.number;
    this.properties = named.properties.map((property) => {
      return { named: property, occurred: false, values: new Set(property.values) };
    });
  }

  /** Whether everything has occurred. */
  get areComplete(): boolean {
    return this.event === undefined && this.number === undefined && this.properties.length === 0;
  }

  add(record: EventRecord): void {
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
      if (wanted.values.size > 0) this.addValues(wanted, properties);
    }
    if (this.found.length === 0) return;
    this.properties = this.properties.filter(({ occurred, values }) => !occurred || values.size > 0);
  }

  /** Returns the keys of what occurred for the first time since the last call. */
  take(): readonly string[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private addValues({ named, values }: { named: NamedProperty; values: Set<string> }, properties: Properties): void {
    for (const value of listStrings(properties[named.name]))
      if (values.delete(value)) this.found.push(getKey(named, value));
  }
}

/** Returns the strings of a value: itself, or the elements of a list. */
export function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : [];
}

function isNumber(expression: Compiled<Value>, { properties, user }: EventRecord): boolean {
  try {
    return typeof expression(properties, user) === 'number';
  } catch (error) {
    if (error instanceof ExpressionTypeError) return false;
    throw error;
  }
}
