import { type Expression, getChildren, type Logical } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import { canFail, getFacts } from '../check/node-facts.ts';
import type { Schema } from '../check/schema.ts';
import { LOGICAL } from '../operators/table.ts';
import { toPlan } from '../plan/to-plan.ts';
import { CONDITION, isSubset, type TypeSet } from '../types.ts';
import type { Budget } from './budget.ts';
import { ERRORS, IS_NOT_TRUE, IS_TRUE } from './outcomes.ts';
import { Possibilities, type Requirement } from './possibilities.ts';
import { getDomain } from './relate-filters.ts';
import { Conditions, type Skeleton } from './skeleton.ts';

/** A condition that is true, or is not: false or undefined. */
export interface Assumption {
  readonly node: Expression;
  readonly isTrue: boolean;
}

/** An assumption about a condition without `not`, and the one about what is written: the condition or its `not`. */
export interface Claim extends Assumption {
  readonly written: Assumption;
}

/** A claim as a requirement. */
type Assumed = Claim & Requirement;

/** Answers which conditions of a tree can be true or false together on the records that a schema allows. */
export class Claims {
  private readonly removed = new Set<Expression>();
  private readonly leaves = new Map<Expression, Skeleton>();
  private readonly possibilities: Possibilities;

  constructor(
    private readonly checked: Checked,
    schema: Schema | undefined,
    budget: Budget,
  ) {
    const conditions = new Conditions();
    this.addLeaves(checked.tree, conditions);
    this.possibilities = new Possibilities(conditions.plans, (input) => getDomain(input, schema), budget);
  }

  /** Whether no more conflicts are found, because that would take too many steps. */
  get isSpent(): boolean {
    return this.possibilities.isSpent;
  }

  /** Leaves out an operand of a chain from now on. */
  remove(operand: Expression): void {
    this.removed.add(operand);
  }

  isRemoved(operand: Expression): boolean {
    return this.removed.has(operand);
  }

  /** Adds what `and`, `or` and `not` combine, also inside of other parts. */
  private addLeaves(node: Expression, conditions: Conditions): void {
    if (node.kind !== 'logical' && !isNegation(node))
      this.leaves.set(node, conditions.add(toPlan({ ...this.checked, tree: node })));
    const combined = node.kind === 'logical' || isNegation(node) ? getChildren(node) : listChains(node);
    for (const part of combined) this.addLeaves(part, conditions);
  }

  /** Returns whether a condition may raise a type error on a record where nothing around it does. */
  mayFail(node: Expression, around: readonly Assumption[]): boolean {
    const facts = getFacts(node, this.checked.facts);
    if (!canFail(facts)) return false;
    const requirements = around.map((assumption) => ({ ...this.require(assumption), outcomes: ~ERRORS }));
    return this.possibilities.isPossible(
      this.possibilities.connect([{ ...this.require({ node, isTrue: true }), outcomes: ERRORS }, ...requirements]),
    );
  }

  /**
   * Finds assumptions that cannot hold together, of which none can be left out; undefined if none are known. `around`
   * holds on some record.
   */
  findConflict(assumptions: readonly Assumption[], around: readonly Assumption[] = []): readonly Claim[] | undefined {
    const parts = assumptions.flatMap((assumption) => this.split(assumption));
    const others = around.flatMap((assumption) => this.split(assumption));
    for (let left = parts; left.length > 0; ) {
      const [first, ...rest] = left as [Assumed, ...Assumed[]];
      const connected = this.possibilities.connect([first, ...rest, ...others]);
      if (!this.possibilities.isPossible(connected)) return this.minimize(connected);
      left = left.filter((part) => !connected.includes(part));
    }
    return undefined;
  }

  private minimize(conflict: readonly Assumed[]): readonly Claim[] {
    let left = conflict;
    for (const part of conflict.toReversed()) {
      const others = left.filter((other) => other !== part);
      if (others.length > 0 && !this.possibilities.isPossible(others)) left = others;
    }
    return left;
  }

  /** Divides an assumption into claims that hold together only if it does. */
  split(assumption: Assumption, written = assumption): readonly Assumed[] {
    const { node, isTrue } = assumption;
    if (node.kind === 'logical' && isTrue !== LOGICAL[node.operator].decidedBy)
      return this.listLeft(node).flatMap((operand) => this.split({ node: operand, isTrue }));
    // `not` of a value that is not a boolean is undefined.
    if (isNegation(node) && (isTrue || isSubset(this.getTypes(node.operand), CONDITION)))
      return this.split({ node: node.operand, isTrue: !isTrue }, written);
    return [{ ...this.require(assumption), written }];
  }

  private require(assumption: Assumption): Assumption & Requirement {
    const { node, isTrue } = assumption;
    return { ...assumption, skeleton: this.toSkeleton(node), outcomes: isTrue ? IS_TRUE : IS_NOT_TRUE };
  }

  private toSkeleton(node: Expression): Skeleton {
    if (isNegation(node)) return { kind: 'not', operand: this.toSkeleton(node.operand) };
    if (node.kind !== 'logical') return this.leaves.get(node) as Skeleton;
    const operands = this.listLeft(node).map((operand) => this.toSkeleton(operand));
    return { kind: 'chain', decidedBy: LOGICAL[node.operator].decidedBy, operands };
  }

  private listLeft({ operands }: Logical): readonly Expression[] {
    return operands.filter((operand) => !this.removed.has(operand));
  }

  private getTypes(node: Expression): TypeSet {
    return getFacts(node, this.checked.facts).types;
  }
}

/** Returns whether a node is `not`. */
export function isNegation(node: Expression): node is Expression & { readonly kind: 'prefix' } {
  return node.kind === 'prefix' && node.operator === 'not';
}

/** Lists the chains inside of a part that are not inside of others. */
function listChains(node: Expression): readonly Logical[] {
  return getChildren(node).flatMap((child) => (child.kind === 'logical' ? [child] : listChains(child)));
}
