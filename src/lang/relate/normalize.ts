import { unreachable } from '../../base/unreachable.ts';
import { type Expression, isDatetimeCall, type Literal, type Logical, type NodeOf } from '../ast.ts';
import type { Checked, Use } from '../check/check.ts';
import { getFacts } from '../check/node-facts.ts';
import { applyOperator } from '../operators/overloads.ts';
import { LOGICAL } from '../operators/table.ts';
import { MAX_SECONDS } from '../operators/time.ts';
import type { TimeZone } from '../operators/time-zone.ts';
import { getFunctions } from '../operators/zoned-functions.ts';
import { isOrder, MIRRORED } from '../plan/range.ts';
import { printInline } from '../syntax/print.ts';
import { BOOLEAN, CONDITION, isSubset, type TypeSet } from '../types.ts';

/**
 * Where a node is used. As a `condition`, `and`, `or` or the filter reads it and refuses values other than booleans and
 * undefined. If it is `negated`, `not` reads it. Both treat undefined as false. As a `value`, it must stay the same.
 */
type Context = 'condition' | 'negated' | 'value';

type Infix = NodeOf<'binary' | 'timeComparison'>;

const span = { start: 0, end: 0 };

/**
 * Returns the normal form of an expression: it has the same value, or raises a type error too, on every record.
 *
 * @param keepsDates Whether constant dates stay as they are written, instead of in Unix seconds.
 * `docs/guide/relations.md` lists the rules.
 */
export function normalizeTree({ tree, facts, timeZone }: Checked, use: Use, keepsDates: boolean): Expression {
  return new Normalizer(facts, timeZone, keepsDates).normalize(tree, use === 'where' ? 'condition' : 'value');
}

class Normalizer {
  /** The types of new nodes. */
  private readonly types = new Map<Expression, TypeSet>();

  constructor(
    private readonly facts: Checked['facts'],
    private readonly timeZone: TimeZone | undefined,
    private readonly keepsDates: boolean,
  ) {}

  normalize(node: Expression, context: Context): Expression {
    const normal = this.rebuild(node, context);
    if (!this.types.has(normal)) this.types.set(normal, this.getTypes(node));
    return normal;
  }

  private getTypes(node: Expression): TypeSet {
    return this.types.get(node) ?? getFacts(node, this.facts).types;
  }

  private rebuild(node: Expression, context: Context): Expression {
    switch (node.kind) {
      case 'literal':
      case 'now':
        return node;
      case 'property':
        return node.scope === 'event' ? { ...node, scope: 'properties' } : node;
      case 'call':
      case 'prefix':
        return node.operator === 'not'
          ? this.negate(node.operand, node)
          : { ...node, operand: this.normalize(node.operand, 'value') };
      case 'binary':
        return this.orderSides({
          ...node,
          left: this.normalize(node.left, 'value'),
          right: this.normalize(node.right, 'value'),
        });
      case 'timeComparison':
        return this.orderTimes(node);
      case 'membership':
        return toMembership(this.normalize(node.operand, 'value'), node.items);
      case 'logical':
        return this.joinOperands(
          node,
          node.operands.map((operand) => this.normalize(operand, 'condition')),
          context,
        );
      default:
        return unreachable(node);
    }
  }

  /** Moves `not` inwards, where that cannot hide a type error. */
  private negate(operand: Expression, node: NodeOf<'prefix'>): Expression {
    if (operand.kind === 'logical' && operand.operands.every((inner) => isSubset(this.getTypes(inner), CONDITION))) {
      const operands = operand.operands.map((inner) => this.negate(inner, node));
      const operator = operand.operator === 'and' ? 'or' : 'and';
      return this.joinOperands({ ...operand, operator }, operands, 'condition');
    }
    const normal = this.normalize(operand, 'negated');
    if ((normal.kind === 'binary' || normal.kind === 'timeComparison') && isEquality(normal)) {
      const operator = normal.operator === '==' ? '!=' : '==';
      return { ...normal, operator } as Infix;
    }
    if (normal.kind === 'prefix' && normal.operator === 'not' && isSubset(this.getTypes(normal.operand), BOOLEAN))
      return normal.operand;
    return { ...node, operand: normal };
  }

  /** Writes constants on the right, else the sides in the order of their texts. */
  private orderSides(node: NodeOf<'binary'>): Expression {
    const { operator, left, right } = node;
    if (!isEquality(node) && operator !== '*' && !isOrder(operator)) return node;
    const [first, second] = [toSortKey(left), toSortKey(right)];
    if (first <= second) return node;
    return { ...node, operator: isOrder(operator) ? MIRRORED[operator] : operator, left: right, right: left };
  }

  /** Writes `datetime` on the right side only, and constant times in seconds. */
  private orderTimes(node: NodeOf<'timeComparison'>): Expression {
    const { operator } = node;
    const [left, right] = [node.left, node.right].map((side) =>
      this.normalize(side.kind === 'call' && isDatetimeCall(side) ? side.operand : side, 'value'),
    );
    if (left === undefined || right === undefined) return node;
    const isSwapped = toSortKey(left) > toSortKey(right);
    const [first, second] = isSwapped ? [right, left] : [left, right];
    return {
      ...node,
      operator: isSwapped && isOrder(operator) ? MIRRORED[operator] : operator,
      // Both sides are read through `datetime` once.
      left: isDatetimeCall(first) ? toDatetime(first) : first,
      right: toDatetime(this.toTime(second)),
    };
  }

  /** Returns a constant date in Unix seconds. */
  private toTime(operand: Expression): Expression {
    if (operand.kind !== 'literal' || this.keepsDates) return operand;
    const value = applyOperator(getFunctions(this.timeZone).datetime, [operand.value]);
    const isSeconds = typeof value === 'number' && value >= 1 && value <= MAX_SECONDS;
    return isSeconds ? { kind: 'literal', value, span } : operand;
  }

  /** Joins normal operands: each once, in the order of their texts, equalities of one part as one list. */
  private joinOperands(node: Logical, operands: readonly Expression[], context: Context): Expression {
    const flat = operands.flatMap((operand) =>
      operand.kind === 'logical' && operand.operator === node.operator ? operand.operands : [operand],
    );
    const neutral: Literal = { kind: 'literal', value: !LOGICAL[node.operator].decidedBy, span };
    const needed = sortDistinct(mergeLists(node.operator, flat), printInline).filter(
      (operand) => operand.kind !== 'literal' || operand.value !== neutral.value,
    );
    const [only = neutral, ...others] = needed;
    if (others.length > 0) return { ...node, operands: needed };
    const isSame =
      context === 'condition' || isSubset(this.getTypesOf(only), context === 'negated' ? CONDITION : BOOLEAN);
    return isSame ? only : { ...node, operands: [only, neutral] };
  }

  /** Returns the types of a normal operand. What is new here is a boolean. */
  private getTypesOf(node: Expression): TypeSet {
    return this.types.get(node) ?? this.facts.get(node)?.types ?? BOOLEAN;
  }
}

function isEquality({ operator }: Infix): boolean {
  return operator === '==' || operator === '!=';
}

function toDatetime(operand: Expression): Expression {
  return { kind: 'call', operator: 'datetime', operand, span };
}

/** Returns a key that sorts constants last. */
function toSortKey(side: Expression): string {
  const isConstant = side.kind === 'literal' || (side.kind === 'prefix' && side.operand.kind === 'literal');
  return `${isConstant ? 1 : 0}${printInline(side)}`;
}

/** Returns one node for each text, in the order of the texts. */
function sortDistinct<Node extends Expression>(nodes: readonly Node[], toText: (node: Node) => string): Node[] {
  const byText = new Map(nodes.map((node) => [toText(node), node]));
  return [...byText].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, node]) => node);
}

/** Returns an `in` with distinct items in order, or `==` for one item. */
function toMembership(operand: Expression, items: readonly Literal[]): Expression {
  const sorted = sortDistinct(items, ({ value }) => `${typeof value} ${value}`);
  const [only, ...others] = sorted;
  // A comparison with a `datetime` call would read the item as a date.
  if (only !== undefined && others.length === 0 && !isDatetimeCall(operand))
    return { kind: 'binary', operator: '==', left: operand, right: toOperand(only), span };
  return { kind: 'membership', operator: 'in', operand, items: sorted, span };
}

/** Returns an item as an operand: the parser reads a negative number as `-` and a number. */
function toOperand(item: Literal): Expression {
  if (typeof item.value !== 'number' || item.value >= 0) return item;
  return { kind: 'prefix', operator: '-', operand: { ...item, value: -item.value }, span };
}

function toItem(side: Expression): Literal | undefined {
  if (side.kind === 'literal') return side;
  if (side.kind !== 'prefix' || side.operator !== '-' || side.operand.kind !== 'literal') return undefined;
  const { value } = side.operand;
  return typeof value === 'number' ? { kind: 'literal', value: -value, span } : undefined;
}

interface Listed {
  readonly operand: Expression;
  readonly items: readonly Literal[];
}

/** Reads a test of whether a part is one of some constants: in a chain of `and`, of whether it is none of them. */
function readListed(operator: Logical['operator'], node: Expression): Listed | undefined {
  const isNegated = operator === 'and';
  const tested = isNegated && node.kind === 'prefix' && node.operator === 'not' ? node.operand : node;
  if (tested.kind === 'membership' && (tested !== node) === isNegated) return tested;
  if (node.kind !== 'binary' || node.operator !== (isNegated ? '!=' : '==')) return undefined;
  const item = toItem(node.right);
  return item === undefined ? undefined : { operand: node.left, items: [item] };
}

/** Merges the equalities of each part in a chain. */
function mergeLists(operator: Logical['operator'], operands: readonly Expression[]): readonly Expression[] {
  const lists = new Map<string, Listed>();
  const others = operands.filter((operand) => {
    const listed = readListed(operator, operand);
    if (listed === undefined) return true;
    const key = printInline(listed.operand);
    const { items = [] } = lists.get(key) ?? {};
    lists.set(key, { operand: listed.operand, items: [...items, ...listed.items] });
    return false;
  });
  const merged = Array.from(lists.values(), ({ operand, items }): Expression => {
    const tested = toMembership(operand, items);
    if (operator === 'or') return tested;
    return tested.kind === 'binary'
      ? { ...tested, operator: '!=' }
      : { kind: 'prefix', operator: 'not', operand: tested, span };
  });
  return [...others, ...merged];
}
