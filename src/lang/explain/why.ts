import type { PropertyRead } from '../check/check.ts';
import { LOGICAL } from '../operators/table.ts';
import { assertSpan, type Span } from '../source.ts';
import { describeTypes, NULL, UNDEFINED } from '../types.ts';
import { arrayOf, assertParts, assertString, type Guard } from '../util/guard.ts';
import { truncate } from '../util/strings.ts';
import { getType, showValue, type Value } from '../value.ts';
import type { Traced } from './trace-tree.ts';

/** A property that a reason rests on, and what the record has there. */
export interface ReadValue extends PropertyRead {
  readonly value: Value;
}

/** A sub-expression that decides an answer. */
export interface Reason {
  readonly span: Span;
  /** Its canonical text on one line. */
  readonly code: string;
  readonly value: Value;
  /** The properties that it reads, each once, in source order. */
  readonly reads: readonly ReadValue[];
  /** All of this in words: `properties["plan"] == "pro" is false: properties["plan"] is "free"`. */
  readonly message: string;
}

/** Columns that a text or a value takes in a message at most. */
const MAX_WIDTH = 80;

/**
 * Why an expression, or a part of one, is what it is on the record that it was traced on: the sub-expressions that decide it, in
 * source order. Of an `and` that is false these are the operands that are not true, of an `or` that is true those that are, else all
 * operands; of `not`, what decides its operand; in place of a value, the operand that raised the type error.
 *
 * @throws {TypeError} for what `trace` did not return.
 */
export function why(traced: Traced): readonly Reason[] {
  assertTraced(traced, 'traced');
  const { error } = traced;
  if (error === undefined) return deciding(traced).map((node) => ({ ...evidence(node), message: message(node) }));
  const raising = nodesOf(traced).filter(({ span }) => span.start === error.span.start && span.end === error.span.end);
  return raising.map((node) => ({ ...evidence(node), message: `${error.message} ${message(node)}` }));
}

const assertTraced: Guard = (traced, name) => {
  const guards = { kind: assertString, code: assertString, span: assertSpan, children: arrayOf(assertTraced) };
  assertParts(traced, name, guards, 'what `trace` returned');
};

function deciding(node: Traced): readonly Traced[] {
  const { kind, operator, value, children } = node;
  if (kind === 'logical') {
    const isDecided = value === LOGICAL[operator === 'and' ? 'and' : 'or'].decidedBy;
    return children.filter((child) => !isDecided || (child.value ?? false) === value).flatMap(deciding);
  }
  // `not` of what is no condition is undefined, whatever decides its operand.
  return operator === 'not' && value !== undefined ? children.flatMap(deciding) : [node];
}

function evidence(node: Traced): Omit<Reason, 'message'> {
  const reads = nodesOf(node).flatMap(({ property, value }) => (property === undefined ? [] : { ...property, value }));
  const byProperty = new Map(reads.map((read) => [`${read.scope} ${read.name}`, read]));
  return { span: node.span, code: node.code, value: node.value, reads: [...byProperty.values()] };
}

function message(node: Traced): string {
  const nodes = nodesOf(node);
  const sources = nodes.filter(({ kind }) => kind === 'property' || kind === 'now');
  const [whole, ...found] = new Set([node, ...sources].map(statement));
  const [mismatch = ''] = nodes.flatMap(mismatchIn);
  return `${whole}${found.length > 0 ? `: ${found.join(', ')}` : ''}${mismatch}`;
}

/** `properties["plan"] is "free"`. */
function statement({ code, value, missing, constant }: Traced): string {
  return `${truncate(code, MAX_WIDTH)} is ${missing ? 'missing' : `${constant ? 'always ' : ''}${shown(value)}`}`;
}

/** What two values are that have no answer together, or are unequal, because their types differ. */
function mismatchIn({ kind, operator, value, children: [left, right] }: Traced): string[] {
  const isEquality = operator === '==' || operator === '!=';
  if (kind !== 'binary' || !(isEquality || value === undefined)) return [];
  const types = [getType(left?.value), getType(right?.value)];
  if (types[0] === types[1] || types.some((type) => type === NULL || type === UNDEFINED)) return [];
  const [first, second] = types.map(describeTypes);
  return [`; ${shown(left?.value)} is ${first}, ${shown(right?.value)} ${second}`];
}

function shown(value: Value): string {
  return truncate(showValue(value), MAX_WIDTH);
}

/** Every node from this one down, each before those below. */
function nodesOf(node: Traced): readonly Traced[] {
  return [node, ...node.children.flatMap(nodesOf)];
}
