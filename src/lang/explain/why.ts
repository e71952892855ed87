import { arrayOf, assertParts, assertString, type Guard } from '../../base/guard.ts';
import { truncate } from '../../base/strings.ts';
import type { PropertyRead } from '../check/check.ts';
import { LOGICAL } from '../operators/table.ts';
import { assertSpan, type Span } from '../source.ts';
import { describeTypes, NULL, UNDEFINED } from '../types.ts';
import { getType, showValue, type Value } from '../value.ts';
import type { Traced } from './trace-tree.ts';

/** A property that a reason depends on, with its value on the record. */
export interface ReadValue extends PropertyRead {
  readonly value: Value;
}

/** A subexpression that decides a value. */
export interface Reason {
  readonly span: Span;
  /** Its canonical source on one line. */
  readonly code: string;
  readonly value: Value;
  /** The properties that it reads, without duplicates, in source order. */
  readonly reads: readonly ReadValue[];
  /** The reason as a sentence: `properties["plan"] == "pro" is false: properties["plan"] is "free"`. */
  readonly message: string;
}

/** The maximum columns of a value or of source in a message. */
const MAX_WIDTH = 80;

/**
 * Explains the value of an expression, or of a part of it, on the record that it was traced on. Returns the
 * subexpressions that decide the value, in source order:
 *
 * - for an `and` that is false, the operands that are not true
 * - for an `or` that is true, the operands that are true
 * - for any other `and` or `or`, all operands
 * - for `not`, the subexpressions that decide its operand
 * - for a type error, the operand that raised it
 *
 * @throws {TypeError} if the argument is not a result of `trace`.
 *
 * @example
 * why(trace('properties["plan"] == "pro"', { plan: 'free' }))[0].message;
 * // 'properties["plan"] == "pro" is false: properties["plan"] is "free"'
 */
export function why(traced: Traced): readonly Reason[] {
  assertTraced(traced, 'traced');
  const { error } = traced;
  if (error === undefined) {
    return findDeciding(traced).map((node) => ({ ...findEvidence(node), message: describeNode(node) }));
  }
  const raising = listNodes(traced).filter(
    ({ span }) => span.start === error.span.start && span.end === error.span.end,
  );
  return raising.map((node) => ({ ...findEvidence(node), message: `${error.message} ${describeNode(node)}` }));
}

const assertTraced: Guard = (traced, name) => {
  const guards = { kind: assertString, code: assertString, span: assertSpan, children: arrayOf(assertTraced) };
  assertParts(traced, name, guards, 'what `trace` returned');
};

/**
 * Returns why a value is undefined: the cause of the innermost part that is, such as `division by zero`, or the property
 * that is missing. Undefined if the value is not.
 */
export function findUndefinedCause(traced: Traced): string | undefined {
  if (traced.error !== undefined || traced.value !== undefined) return undefined;
  const parts = listNodes(traced).filter((node) => node.error === undefined && node.value === undefined);
  const cause = parts.find((node) => node.cause !== undefined)?.cause;
  const property = parts.find(({ kind }) => kind === 'property');
  if (cause !== undefined || property === undefined) return cause;
  return `${property.code} ${property.missing ? 'is missing' : 'is an object, which expressions cannot read'}`;
}

function findDeciding(node: Traced): readonly Traced[] {
  const { kind, operator, value, children } = node;
  if (kind === 'logical') {
    const isDecided = value === LOGICAL[operator === 'and' ? 'and' : 'or'].decidedBy;
    return children.filter((child) => !isDecided || (child.value ?? false) === value).flatMap(findDeciding);
  }
  // `not` is undefined because of the type of its operand, not because of the operand's parts.
  return operator === 'not' && value !== undefined ? children.flatMap(findDeciding) : [node];
}

function findEvidence(node: Traced): Omit<Reason, 'message'> {
  const reads = listNodes(node).flatMap(({ property, value }) =>
    property === undefined ? [] : { ...property, value },
  );
  const byProperty = new Map(reads.map((read) => [`${read.scope} ${read.name}`, read]));
  return { span: node.span, code: node.code, value: node.value, reads: [...byProperty.values()] };
}

function describeNode(node: Traced): string {
  const nodes = listNodes(node);
  const sources = nodes.filter(({ kind }) => kind === 'property' || kind === 'now');
  const [whole, ...found] = new Set([node, ...sources].map(describeValue));
  const [mismatch] = nodes.flatMap(describeMismatch);
  const cause = node.value === undefined ? nodes.find((each) => each.cause !== undefined)?.cause : undefined;
  const separator = found.length > 0 ? '; ' : ': ';
  const known = mismatch ?? (cause === undefined ? '' : `${separator}${cause}`);
  return `${whole}${found.length > 0 ? `: ${found.join(', ')}` : ''}${known}`;
}

/** Describes the value of a node, as in `properties["plan"] is "free"`. */
function describeValue({ code, value, missing, constant }: Traced): string {
  return `${truncate(code, MAX_WIDTH)} is ${missing ? 'missing' : `${constant ? 'always ' : ''}${showShort(value)}`}`;
}

/** Describes the types of two operands that are undefined together, or unequal, because their types differ. */
function describeMismatch({ kind, operator, value, children: [left, right] }: Traced): string[] {
  const isEquality = operator === '==' || operator === '!=';
  if (kind !== 'binary' || !(isEquality || value === undefined)) return [];
  const types = [getType(left?.value), getType(right?.value)];
  if (types[0] === types[1] || types.some((type) => type === NULL || type === UNDEFINED)) return [];
  const [first, second] = types.map(describeTypes);
  return [`; ${showShort(left?.value)} is ${first}, ${showShort(right?.value)} ${second}`];
}

function showShort(value: Value): string {
  return truncate(showValue(value), MAX_WIDTH);
}

/** Lists a node and all nodes below it, parents before their children. */
function listNodes(node: Traced): readonly Traced[] {
  return [node, ...node.children.flatMap(listNodes)];
}
