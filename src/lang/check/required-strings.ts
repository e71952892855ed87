import type { Binary, Expression, Logical, Membership, TimeComparison } from '../ast.ts';
import { applyOperator, getResultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../operators/table.ts';
import { BOOLEAN, CONDITION, isSubset, UNDEFINED } from '../types.ts';
import { unreachable } from '../util/unreachable.ts';
import { parseDecimal } from '../value.ts';
import type { Checked } from './check.ts';

/** A text that a record has somewhere: the name of a property or a text in a value, whole or as a part of it. */
export interface RequiredString {
  readonly text: string;
  readonly whole: boolean;
}

/** A record has one of these at least. */
export type RequiredStrings = readonly RequiredString[];

/**
 * What every record has for which a filter is true, as far as the filter tells. Of one that can fail nothing is said: whoever
 * leaves out records for what they lack must not leave out a type error.
 */
export function findRequiredStrings({ tree, facts }: Checked): readonly RequiredStrings[] {
  const root = facts.get(tree);
  if (root === undefined || root.fallible || !isSubset(root.types, CONDITION)) return [];
  return new Tracer(facts).ofTrue(tree);
}

class Tracer {
  constructor(private readonly facts: Checked['facts']) {}

  /** What a record has for which this is true. */
  ofTrue(node: Expression): readonly RequiredStrings[] {
    switch (node.kind) {
      case 'call':
        return this.ofOperand(node.operand, applyOperator(FUNCTIONS[node.operator], [undefined]) !== true);
      case 'prefix':
        return this.ofOperand(node.operand, applyOperator(PREFIX[node.operator], [undefined]) !== true);
      case 'binary':
        return this.ofText(node) ?? this.ofSides(node, (types) => (types & BOOLEAN) === 0);
      case 'timeComparison':
        return this.ofSides(node, (types) => (types & BOOLEAN) === 0);
      case 'membership':
        return this.ofMembership(node);
      case 'logical':
        return this.ofLogical(node);
      case 'property':
        return this.ofDefined(node);
      case 'literal':
      case 'now':
        return [];
      default:
        return unreachable(node);
    }
  }

  /** What a record has for which this is not undefined. */
  private ofDefined(node: Expression): readonly RequiredStrings[] {
    switch (node.kind) {
      case 'property':
        return [[{ text: node.name, whole: true }]];
      case 'call':
        return this.ofOperand(node.operand, applyOperator(FUNCTIONS[node.operator], [undefined]) === undefined);
      case 'prefix':
        return this.ofOperand(node.operand, applyOperator(PREFIX[node.operator], [undefined]) === undefined);
      case 'binary':
      case 'timeComparison':
        return this.ofSides(node, (types) => types === UNDEFINED);
      case 'membership':
      case 'logical':
      case 'literal':
      case 'now':
        return [];
      default:
        return unreachable(node);
    }
  }

  private ofOperand(operand: Expression, isNeeded: boolean): readonly RequiredStrings[] {
    return isNeeded ? this.ofDefined(operand) : [];
  }

  /** Each side must be defined without which no answer is of a type that is asked for. */
  private ofSides(node: Binary | TimeComparison, isTooLittle: (types: number) => boolean): readonly RequiredStrings[] {
    const row: StrictRow = BINARY[node.operator];
    const [left, right] = [this.typesOf(node.left), this.typesOf(node.right)];
    return [
      ...this.ofOperand(node.left, isTooLittle(getResultTypes(row, [UNDEFINED, right]))),
      ...this.ofOperand(node.right, isTooLittle(getResultTypes(row, [left, UNDEFINED]))),
    ];
  }

  /** A comparison with a known value, or a search for a known text; undefined for every other operation. */
  private ofText({ operator, left, right }: Binary): readonly RequiredStrings[] | undefined {
    const [first, second] = [this.constantOf(left), this.constantOf(right)];
    if (operator === 'in' && typeof first === 'string' && right.kind === 'property')
      return [[{ text: first, whole: false }]];
    if (operator !== '==') return undefined;
    if (second !== undefined) return this.ofEqual(left, [second]);
    return first === undefined ? undefined : this.ofEqual(right, [first]);
  }

  private ofMembership({ operand, items }: Membership): readonly RequiredStrings[] {
    return this.ofEqual(
      operand,
      items.map(({ value }) => value),
    );
  }

  /** What a record has for which a node is one of these values, none of which is undefined. */
  private ofEqual(node: Expression, values: readonly unknown[]): readonly RequiredStrings[] {
    const holds = (value: unknown) => typeof value === 'string' && holdsText(node, value);
    return values.every(holds) ? [values.map((text) => ({ text: String(text), whole: true }))] : this.ofDefined(node);
  }

  /** Of a chain of `or`, each operand brings the first of what it has. */
  private ofLogical({ operator, operands }: Logical): readonly RequiredStrings[] {
    const all = operands.map((operand) => this.ofTrue(operand));
    if (operator === 'and') return all.flat();
    return all.every((traces) => traces.length > 0) ? [all.flatMap(([first = []]) => first)] : [];
  }

  private typesOf(node: Expression): number {
    return this.facts.get(node)?.types ?? 0;
  }

  private constantOf(node: Expression): unknown {
    return this.facts.get(node)?.constant?.value;
  }
}

/** Whether a node can only be this text where the record has it: the text of a number need not stand there so. */
function holdsText(node: Expression, text: string): boolean {
  if (node.kind === 'call' && node.operator === 'string') {
    return parseDecimal(text) === undefined && text !== 'true' && text !== 'false' && holdsText(node.operand, text);
  }
  return node.kind === 'property';
}
