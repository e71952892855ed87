import { type Kind, SCOPES } from '../language/ast.ts';
import { BINARY, COMPARISONS, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';
import { arrayOf, assertObject, assertParts, assertString, type Guard, guardIf, oneOf } from '../util/guard.ts';

const expectLiteralValue = guardIf(
  (value) => ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  'a string, a finite number or a boolean',
);

/** The parts of each kind of node. What a caller built has spans or not: printing does not read them. */
const PARTS: Readonly<Record<Kind, Readonly<Record<string, Guard>>>> = {
  literal: { value: expectLiteralValue },
  property: { scope: oneOf(SCOPES), name: assertString },
  now: {},
  call: { operator: oneOf(Object.keys(FUNCTIONS)), operand: expectNode },
  prefix: { operator: oneOf(Object.keys(PREFIX)), operand: expectNode },
  binary: { operator: oneOf(Object.keys(BINARY)), left: expectNode, right: expectNode },
  timeComparison: { operator: oneOf(Object.keys(COMPARISONS)), left: expectNode, right: expectNode },
  membership: { operator: oneOf(['in']), operand: expectNode, items: arrayOf(expectLiteral) },
  logical: { operator: oneOf(Object.keys(LOGICAL)), operands: arrayOf(expectNode) },
};

/**
 * Checks a tree, as {@link parse} returns it.
 *
 * @throws {TypeError} that names the node which is none.
 */
export function expectTree(tree: unknown, name: string): void {
  assertObject(tree, name, 'a string or a tree that `parse` returned');
  expectNode(tree, name);
}

function expectNode(node: unknown, name: string): void {
  assertParts(node, name, { kind: oneOf(Object.keys(PARTS)) }, 'a node');
  assertParts(node, name, PARTS[(node as { readonly kind: Kind }).kind]);
}

function expectLiteral(node: unknown, name: string): void {
  assertParts(node, name, { kind: oneOf(['literal']), ...PARTS.literal }, 'a literal');
}
