import { unreachable } from '../../base/unreachable.ts';
import type { Binary, Expression, Logical, Membership, TimeComparison } from '../ast.ts';
import { applyOperator, getResultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../operators/table.ts';
import { BOOLEAN, CONDITION, isSubset, UNDEFINED } from '../types.ts';
import { parseDecimal } from '../value.ts';
import type { Checked } from './check.ts';

/** A string that a record contains: the name of a property, or a string in a value, whole or as a substring. */
export interface RequiredString {
  readonly text: string;
  /** False if `text` can be a substring of a longer string. */
  readonly whole: boolean;
}

/** Alternatives: a record contains at least one of these. */
export type RequiredStrings = readonly RequiredString[];

/**
 * Finds strings that every record selected by a filter contains, to skip other records without parsing them. Returns
 * none for a filter that can fail, because skipping a record could hide a type error.
 */
export function findRequiredStrings({ tree, facts }: Checked): readonly RequiredStrings[] {
  const root = facts.get(tree);
  if (root === undefined || root.fallible || !isSubset(root.types, CONDITION)) return [];
  return new Finder(facts).findIfTrue(tree);
}

class Finder {
  constructor(private readonly facts: Checked['facts']) {}

  /** Returns the strings that a record contains if the node is true. */
  findIfTrue(node: Expression): readonly RequiredStrings[] {
    switch (node.kind) {
      case 'call':
        return this.findInOperand(node.operand, applyOperator(FUNCTIONS[node.operator], [undefined]) !== true);
      case 'prefix':
        return this.findInOperand(node.operand, applyOperator(PREFIX[node.operator], [undefined]) !== true);
      case 'binary':
        return this.findInSearch(node) ?? this.findInSides(node, (types) => (types & BOOLEAN) === 0);
      case 'timeComparison':
        return this.findInSides(node, (types) => (types & BOOLEAN) === 0);
      case 'membership':
        return this.findInMembership(node);
      case 'logical':
        return this.findInLogical(node);
      case 'property':
        return this.findIfDefined(node);
      case 'literal':
      case 'now':
        return [];
      default:
        return unreachable(node);
    }
  }

  /** Returns the strings that a record contains if the node is not undefined. */
  private findIfDefined(node: Expression): readonly RequiredStrings[] {
    switch (node.kind) {
      case 'property':
        return [[{ text: node.name, whole: true }]];
      case 'call':
        return this.findInOperand(node.operand, applyOperator(FUNCTIONS[node.operator], [undefined]) === undefined);
      case 'prefix':
        return this.findInOperand(node.operand, applyOperator(PREFIX[node.operator], [undefined]) === undefined);
      case 'binary':
      case 'timeComparison':
        return this.findInSides(node, (types) => types === UNDEFINED);
      case 'membership':
      case 'logical':
      case 'literal':
      case 'now':
        return [];
      default:
        return unreachable(node);
    }
  }

  private findInOperand(operand: Expression, mustBeDefined: boolean): readonly RequiredStrings[] {
    return mustBeDefined ? this.findIfDefined(operand) : [];
  }

  /** A side must be defined if the types of the result are insufficient when it is undefined. */
  private findInSides(
    node: Binary | TimeComparison,
    isInsufficient: (types: number) => boolean,
  ): readonly RequiredStrings[] {
    const row: StrictRow = BINARY[node.operator];
    const [left, right] = [this.getTypes(node.left), this.getTypes(node.right)];
    return [
      ...this.findInOperand(node.left, isInsufficient(getResultTypes(row, [UNDEFINED, right]))),
      ...this.findInOperand(node.right, isInsufficient(getResultTypes(row, [left, UNDEFINED]))),
    ];
  }

  /** Handles `==` with a constant and a search for a constant string. Returns undefined for other operations. */
  private findInSearch({ operator, left, right }: Binary): readonly RequiredStrings[] | undefined {
    const [first, second] = [this.getConstant(left), this.getConstant(right)];
    if (operator === 'in' && typeof first === 'string' && right.kind === 'property')
      return [[{ text: first, whole: false }]];
    if (operator !== '==') return undefined;
    if (second !== undefined) return this.findIfEqual(left, [second]);
    return first === undefined ? undefined : this.findIfEqual(right, [first]);
  }

  private findInMembership({ operand, items }: Membership): readonly RequiredStrings[] {
    return this.findIfEqual(
      operand,
      items.map(({ value }) => value),
    );
  }

  /** Returns the strings that a record contains if the node equals one of the values, none of which is undefined. */
  private findIfEqual(node: Expression, values: readonly unknown[]): readonly RequiredStrings[] {
    const isContained = (value: unknown) => typeof value === 'string' && requiresString(node, value);
    if (!values.every(isContained)) return this.findIfDefined(node);
    return [values.map((value) => ({ text: String(value), whole: true }))];
  }

  /** In a chain of `or`, each operand contributes its first alternatives. */
  private findInLogical({ operator, operands }: Logical): readonly RequiredStrings[] {
    const all = operands.map((operand) => this.findIfTrue(operand));
    if (operator === 'and') return all.flat();
    return all.every((found) => found.length > 0) ? [all.flatMap(([first = []]) => first)] : [];
  }

  private getTypes(node: Expression): number {
    return this.facts.get(node)?.types ?? 0;
  }

  private getConstant(node: Expression): unknown {
    return this.facts.get(node)?.constant?.value;
  }
}

/** Returns whether a node can equal a string only if the record contains it. A number has several spellings. */
function requiresString(node: Expression, string: string): boolean {
  if (node.kind === 'call' && node.operator === 'string') {
    const canBeOtherType = parseDecimal(string) !== undefined || string === 'true' || string === 'false';
    return !canBeOtherType && requiresString(node.operand, string);
  }
  return node.kind === 'property';
}
