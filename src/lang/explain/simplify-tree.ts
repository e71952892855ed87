import { type Expression, getChildren, isDatetimeCall, type Literal, type Logical, type NodeOf } from '../ast.ts';
import type { Checked, Use } from '../check/check.ts';
import { canFail, getFacts, type NodeFacts } from '../check/node-facts.ts';
import { LOGICAL } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { BOOLEAN, CONDITION, isSubset } from '../types.ts';
import { isWellFormed } from '../util/strings.ts';
import { unreachable } from '../util/unreachable.ts';
import { getType, isEqual, type Value } from '../value.ts';

/**
 * The tree that is left where all that was checked to be constant is worked out. Wherever the checker's knowledge holds, it answers
 * what the whole tree would, or raises a type error with the same operator and type found; as a filter it may be false for undefined.
 */
export function simplifyTree({ tree, facts }: Checked, use: Use): Expression {
  return new Residue(facts).of(tree, use === 'where');
}

/** A place is a condition where undefined counts as false: an operand of `and`, `or` or `not`, or a filter as a whole. */
class Residue {
  /** What is known of the nodes, and of those that are made in their place. */
  private readonly facts: Map<Expression, NodeFacts>;

  constructor(facts: Checked['facts']) {
    this.facts = new Map(facts);
  }

  of(node: Expression, isCondition: boolean): Expression {
    const facts = getFacts(node, this.facts);
    if (facts.constant) return this.constant(node, facts.constant.value, isCondition);
    return this.note(this.rebuilt(node, isCondition), facts);
  }

  private constant(node: Expression, value: Value, isCondition: boolean): Expression {
    const counted = isCondition && value === undefined ? false : value;
    const literal = literalOf(counted, node);
    if (literal !== undefined)
      return this.note(literal, { types: getType(counted), constant: { value: counted }, fallible: false });
    // Null, lists and undefined have no literal. What is the same below is shorter; but a call of `datetime` would change a comparison.
    const left = this.note(this.rebuilt(node, false), getFacts(node, this.facts));
    return getChildren(left).find((child) => this.isConstant(child, value) && !isDatetimeCall(child)) ?? left;
  }

  /** The node over what is left of those below. */
  private rebuilt(node: Expression, isCondition: boolean): Expression {
    switch (node.kind) {
      case 'literal':
      case 'property':
      case 'now':
        return node;
      case 'call':
      case 'membership':
        return { ...node, operand: this.of(node.operand, false) };
      case 'prefix':
        return node.operator === 'not'
          ? this.negation(node, isCondition)
          : { ...node, operand: this.of(node.operand, false) };
      case 'binary':
        return this.binary(node);
      case 'timeComparison':
        return { ...node, left: this.time(node.left), right: this.time(node.right) };
      case 'logical':
        return this.chain(node, isCondition);
      default:
        return unreachable(node);
    }
  }

  private negation(node: NodeOf<'prefix'>, isCondition: boolean): Expression {
    const operand = this.of(node.operand, true);
    const twice = operand.kind === 'prefix' && operand.operator === 'not' ? operand.operand : undefined;
    return twice !== undefined && this.canStandAlone(twice, isCondition) ? twice : { ...node, operand };
  }

  /** A list that is known can be written on the right of `in`. */
  private binary(node: NodeOf<'binary'>): Expression {
    const left = this.of(node.left, false);
    const items = node.operator === 'in' ? itemsOf(getFacts(node.right, this.facts).constant?.value, node) : undefined;
    return items === undefined
      ? { ...node, left, right: this.of(node.right, false) }
      : { kind: 'membership', operator: 'in', operand: left, items, span: node.span };
  }

  /** A side of a comparison of times. A call of `datetime` makes it one, and stays. */
  private time(side: Expression): Expression {
    return isDatetimeCall(side)
      ? this.note(this.rebuilt(side, false), getFacts(side, this.facts))
      : this.of(side, false);
  }

  private chain(node: Logical, isCondition: boolean): Expression {
    const { decidedBy } = LOGICAL[node.operator];
    const operands = node.operands.flatMap((operand) => {
      const left = this.of(operand, true);
      return left.kind === 'logical' && left.operator === node.operator ? left.operands : [left];
    });
    const decisive = operands.find((operand) => this.isConstant(operand, decidedBy));
    const neutral = operands.find((operand) => this.isConstant(operand, !decidedBy));
    const needed = operands.filter((operand) => {
      if (decisive !== undefined) return operand === decisive || canFail(getFacts(operand, this.facts));
      return !this.isConstant(operand, !decidedBy);
    });
    const [only, ...others] = needed;
    if (only === undefined || others.length > 0) return { ...node, operands: needed };
    if (this.canStandAlone(only, isCondition)) return only;
    // The chain makes a boolean of it, or raises the type error in its own name.
    return { ...node, operands: operands.filter((operand) => operand === only || operand === neutral) };
  }

  /** Whether an operand answers what a chain of it alone, or its double negation, would. */
  private canStandAlone(operand: Expression, isCondition: boolean): boolean {
    return isSubset(getFacts(operand, this.facts).types, isCondition ? CONDITION : BOOLEAN);
  }

  private isConstant(node: Expression, value: Value): boolean {
    const { constant } = getFacts(node, this.facts);
    return constant !== undefined && isEqual(constant.value, value);
  }

  /** Notes what is known of a node that was made; one that was there before keeps what is known of it. */
  private note(node: Expression, facts: NodeFacts): Expression {
    if (!this.facts.has(node)) this.facts.set(node, facts);
    return node;
  }
}

/** A value as the parser reads it; undefined where it has no literal. */
function literalOf(value: Value, { span }: Expression): Expression | undefined {
  if (typeof value !== 'number' || value >= 0) return itemOf(value, span);
  return { kind: 'prefix', operator: '-', operand: { kind: 'literal', value: -value, span }, span };
}

/** A list as a written one; undefined where that cannot hold one of its elements, and for what is no list. */
function itemsOf(list: Value, { span }: Expression): readonly Literal[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = list.flatMap((element) => itemOf(element, span) ?? []);
  return items.length === list.length ? items : undefined;
}

/** A value as an item of a written list, where a number may be negative. */
function itemOf(value: Value, span: Span): Literal | undefined {
  switch (typeof value) {
    case 'string':
      return isWellFormed(value) ? { kind: 'literal', value, span } : undefined;
    case 'number':
    case 'boolean':
      return { kind: 'literal', value, span };
    default:
      return undefined;
  }
}
