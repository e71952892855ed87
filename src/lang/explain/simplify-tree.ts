import { isWellFormed } from '../../base/strings.ts';
import { unreachable } from '../../base/unreachable.ts';
import { type Expression, getChildren, isDatetimeCall, type Literal, type Logical, type NodeOf } from '../ast.ts';
import type { Checked, Use } from '../check/check.ts';
import { canFail, getFacts, type NodeFacts } from '../check/node-facts.ts';
import { LOGICAL } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { BOOLEAN, CONDITION, isSubset } from '../types.ts';
import { getType, isEqual, type Value } from '../value.ts';

/**
 * Evaluates the constant parts of a tree and returns the rest. On every record that the facts hold for, the rest has
 * the value of the whole tree, or raises a type error with the same operator and type. As a filter, it can be false
 * instead of undefined.
 */
export function simplifyTree({ tree, facts }: Checked, use: Use): Expression {
  return new Simplifier(facts).simplify(tree, use === 'where');
}

/** A node is a condition if undefined counts as false there: as a filter, or as an operand of `and`, `or` or `not`. */
class Simplifier {
  /** The facts about the nodes of the tree and about new nodes. */
  private readonly facts: Map<Expression, NodeFacts>;

  constructor(facts: Checked['facts']) {
    this.facts = new Map(facts);
  }

  simplify(node: Expression, isCondition: boolean): Expression {
    const facts = getFacts(node, this.facts);
    if (facts.constant) return this.replaceConstant(node, facts.constant.value, isCondition);
    return this.addFacts(this.rebuild(node, isCondition), facts);
  }

  private replaceConstant(node: Expression, value: Value, isCondition: boolean): Expression {
    const counted = isCondition && value === undefined ? false : value;
    const literal = toLiteral(counted, node);
    if (literal !== undefined)
      return this.addFacts(literal, { types: getType(counted), constant: { value: counted }, fallible: false });
    // Null, lists and undefined have no literal. An operand with the same value is shorter, but a `datetime` call would
    // change the comparison around it.
    const rebuilt = this.addFacts(this.rebuild(node, false), getFacts(node, this.facts));
    return getChildren(rebuilt).find((child) => this.isConstant(child, value) && !isDatetimeCall(child)) ?? rebuilt;
  }

  /** Returns the node with simplified children. */
  private rebuild(node: Expression, isCondition: boolean): Expression {
    switch (node.kind) {
      case 'literal':
      case 'property':
      case 'now':
        return node;
      case 'call':
      case 'membership':
        return { ...node, operand: this.simplify(node.operand, false) };
      case 'prefix':
        return node.operator === 'not'
          ? this.simplifyNot(node, isCondition)
          : { ...node, operand: this.simplify(node.operand, false) };
      case 'binary':
        return this.simplifyBinary(node);
      case 'timeComparison':
        return { ...node, left: this.simplifyTime(node.left), right: this.simplifyTime(node.right) };
      case 'logical':
        return this.simplifyChain(node, isCondition);
      default:
        return unreachable(node);
    }
  }

  private simplifyNot(node: NodeOf<'prefix'>, isCondition: boolean): Expression {
    const operand = this.simplify(node.operand, true);
    const inner = operand.kind === 'prefix' && operand.operator === 'not' ? operand.operand : undefined;
    return inner !== undefined && this.canReplaceParent(inner, isCondition) ? inner : { ...node, operand };
  }

  /** Replaces a constant list on the right of `in` by a literal list. */
  private simplifyBinary(node: NodeOf<'binary'>): Expression {
    const left = this.simplify(node.left, false);
    const items = node.operator === 'in' ? toItems(getFacts(node.right, this.facts).constant?.value, node) : undefined;
    return items === undefined
      ? { ...node, left, right: this.simplify(node.right, false) }
      : { kind: 'membership', operator: 'in', operand: left, items, span: node.span };
  }

  /** Simplifies a side of a comparison of times. A `datetime` call stays: without it, times would not be compared. */
  private simplifyTime(side: Expression): Expression {
    return isDatetimeCall(side)
      ? this.addFacts(this.rebuild(side, false), getFacts(side, this.facts))
      : this.simplify(side, false);
  }

  private simplifyChain(node: Logical, isCondition: boolean): Expression {
    const { decidedBy } = LOGICAL[node.operator];
    const operands = node.operands.flatMap((operand) => {
      const simplified = this.simplify(operand, true);
      const isSameChain = simplified.kind === 'logical' && simplified.operator === node.operator;
      return isSameChain ? simplified.operands : [simplified];
    });
    const decisive = operands.find((operand) => this.isConstant(operand, decidedBy));
    const neutral = operands.find((operand) => this.isConstant(operand, !decidedBy));
    const needed = operands.filter((operand) => {
      if (decisive !== undefined) return operand === decisive || canFail(getFacts(operand, this.facts));
      return !this.isConstant(operand, !decidedBy);
    });
    const [only, ...others] = needed;
    if (only === undefined || others.length > 0) return { ...node, operands: needed };
    if (this.canReplaceParent(only, isCondition)) return only;
    // The chain must stay: it converts the operand to a boolean, or raises the type error with its operator.
    return { ...node, operands: operands.filter((operand) => operand === only || operand === neutral) };
  }

  /** Returns whether an operand has the same value as its double negation, and as a chain of this operand alone. */
  private canReplaceParent(operand: Expression, isCondition: boolean): boolean {
    return isSubset(getFacts(operand, this.facts).types, isCondition ? CONDITION : BOOLEAN);
  }

  private isConstant(node: Expression, value: Value): boolean {
    const { constant } = getFacts(node, this.facts);
    return constant !== undefined && isEqual(constant.value, value);
  }

  /** Adds the facts of a new node. A node of the tree keeps its facts. */
  private addFacts(node: Expression, facts: NodeFacts): Expression {
    if (!this.facts.has(node)) this.facts.set(node, facts);
    return node;
  }
}

/** Returns the node that the parser creates for a value, undefined if the value has no literal. */
function toLiteral(value: Value, { span }: Expression): Expression | undefined {
  if (typeof value !== 'number' || value >= 0) return toItem(value, span);
  return { kind: 'prefix', operator: '-', operand: { kind: 'literal', value: -value, span }, span };
}

/** Returns a list as the items of a literal list, undefined if an element has no literal or the value is not a list. */
function toItems(list: Value, { span }: Expression): readonly Literal[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = list.flatMap((element) => toItem(element, span) ?? []);
  return items.length === list.length ? items : undefined;
}

/** Returns a value as an item of a literal list, where numbers can be negative. */
function toItem(value: Value, span: Span): Literal | undefined {
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
