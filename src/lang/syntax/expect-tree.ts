import { arrayOf, assertObject, assertParts, assertString, type Guard, guardIf, oneOf } from '../../base/guard.ts';
import { type Kind, SCOPES } from '../ast.ts';
import { BINARY, COMPARISONS, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';

const assertLiteralValue = guardIf(
  (value) => ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  'a string, a finite number or a boolean',
);

/** The fields of each kind of node. Spans are optional in a tree that a caller built: printing does not read them. */
const PARTS: Readonly<Record<Kind, Readonly<Record<string, Guard>>>> = {
  literal: { value: assertLiteralValue },
  property: { scope: oneOf(SCOPES), name: assertString },
  now: {},
  call: { operator: oneOf(Object.keys(FUNCTIONS)), operand: assertNode },
  prefix: { operator: oneOf(Object.keys(PREFIX)), operand: assertNode },
  binary: { operator: oneOf(Object.keys(BINARY)), left: assertNode, right: assertNode },
  timeComparison: { operator: oneOf(Object.keys(COMPARISONS)), left: assertNode, right: assertNode },
  membership: { operator: oneOf(['in']), operand: assertNode, items: arrayOf(assertLiteral) },
  logical: { operator: oneOf(Object.keys(LOGICAL)), operands: arrayOf(assertNode) },
};

/** @throws {TypeError} if the value is not a tree as `parse` returns it, with the path of the wrong node. */
export function assertTree(tree: unknown, name: string): void {
  assertObject(tree, name, 'a string or a tree that `parse` returned');
  assertNode(tree, name);
}

function assertNode(node: unknown, name: string): void {
  assertParts(node, name, { kind: oneOf(Object.keys(PARTS)) }, 'a node');
  assertParts(node, name, PARTS[(node as { readonly kind: Kind }).kind]);
}

function assertLiteral(node: unknown, name: string): void {
  assertParts(node, name, { kind: oneOf(['literal']), ...PARTS.literal }, 'a literal');
}
