import { type Expression, getChildren, type Logical, type Membership } from '../ast.ts';
import { type Checked, checkTree, type Use } from '../check/check.ts';
import { getFacts } from '../check/node-facts.ts';
import type { Schema } from '../check/schema.ts';
import { compareByPosition, type Diagnostic, type RelationCode } from '../diagnostic.ts';
import { LOGICAL } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { BOOLEAN, CONDITION, isSubset } from '../types.ts';
import { showValue } from '../value.ts';
import { Budget } from './budget.ts';
import { type Assumption, type Claim, Claims, isNegation } from './claims.ts';
import { createWarning, explainConflict, explainRedundant } from './explain-claims.ts';
import { removeItem, removeOperand } from './remove-part.ts';

/** The maximum work for an expression, in steps of a {@link Budget}. */
const STEPS = 20_000;
/** As many warnings are returned for an expression. */
const MAX_FOUND = 4;

/**
 * Returns the diagnostics of a checked expression, with warnings about parts that are always or never true, or make no
 * difference, and why. Each is proved for every record, or with a schema for every record that the schema allows; the
 * latter have no fix. An expression with errors has no such warnings.
 */
export function findRelations(checked: Checked, use: Use, schema?: Schema): readonly Diagnostic[] {
  const { diagnostics, properties, readsTime } = checked;
  // Whoever writes constants alone wants to know what they are.
  if (diagnostics.some(({ severity }) => severity === 'error') || (properties.length === 0 && !readsTime))
    return diagnostics;
  return [...diagnostics, ...warnOfRelations(checked, use, schema)].sort(compareByPosition);
}

function warnOfRelations(checked: Checked, use: Use, schema: Schema | undefined): readonly Diagnostic[] {
  const { source, tree, timeZone, diagnostics } = checked;
  const known = schema === undefined ? checked : checkTree(source, tree, use, { timeZone });
  const found = new RelationFinder(known, use, schema, diagnostics).run();
  if (schema === undefined || found.length === 0) return found.map(({ toDiagnostic }) => toDiagnostic(false));
  const certain = new RelationFinder(known, use, undefined, diagnostics).run();
  return found.map(({ key, toDiagnostic }) => {
    return certain.find((other) => other.key === key)?.toDiagnostic(false) ?? toDiagnostic(true);
  });
}

/** Something found, before all of it is known. */
interface Finding {
  /** Identifies what is found and where. */
  readonly key: string;
  readonly toDiagnostic: (bySchema: boolean) => Diagnostic;
}

/** Where a condition is used: `and`, `or` and filters read booleans, `not` too, and other parts read its value. */
type Context = 'condition' | 'negated' | 'value';

class RelationFinder {
  private readonly found: Finding[] = [];
  private readonly claims: Claims;

  constructor(
    private readonly checked: Checked,
    private readonly use: Use,
    schema: Schema | undefined,
    private readonly known: readonly Diagnostic[],
  ) {
    this.claims = new Claims(checked, schema, new Budget(STEPS));
  }

  run(): readonly Finding[] {
    const { tree, facts } = this.checked;
    const { types } = getFacts(tree, facts);
    // Outside filters, only what is always a boolean is meant as a condition: `properties["plan"]` is not.
    const isCondition = this.use === 'where' ? (types & BOOLEAN) !== 0 : isSubset(types, CONDITION);
    if (isCondition) this.visitRoot(tree, this.use === 'where' ? 'condition' : 'value');
    else this.visitParts(tree);
    return this.found.slice(0, MAX_FOUND);
  }

  private visitRoot(node: Expression, context: Context): void {
    if (!this.reportConstant(node)) this.visitInside(node, [], context);
  }

  /** Looks at the operands of a condition that is neither always nor never true where all assumptions hold. */
  private visitInside(node: Expression, assumed: readonly Assumption[], context: Context): void {
    if (isNegation(node)) this.visitInside(node.operand, assumed, 'negated');
    else if (node.kind === 'logical') this.visitOperands(node, assumed, context);
    else this.visitParts(node);
  }

  private visitParts(node: Expression): void {
    if (node.kind === 'membership') this.reportItems(node);
    for (const child of getChildren(node)) {
      if (child.kind === 'logical') this.visitRoot(child, 'value');
      else this.visitParts(child);
    }
  }

  private visitOperands(node: Logical, assumed: readonly Assumption[], context: Context): void {
    const reported = new Set<Expression>();
    const others = (operand: Expression) => {
      const left = node.operands.filter((other) => other !== operand && !this.claims.isRemoved(other));
      return left.map((other): Assumption => ({ node: other, isTrue: !LOGICAL[node.operator].decidedBy }));
    };
    // The later one of two equal operands is the redundant one.
    for (const [index, operand] of [...node.operands.entries()].reverse()) {
      if (this.isFinished) return;
      if (isConstant(operand)) continue;
      const siblings = others(operand);
      if (siblings.length === 0) continue;
      const isReported =
        this.reportConstant(operand) || this.reportOperand(node, index, operand, siblings, assumed, context);
      if (isReported) reported.add(operand);
    }
    for (const operand of node.operands) {
      if (reported.has(operand)) continue;
      const siblings = others(operand);
      // An operand that is left alone takes the place of the chain.
      this.visitInside(operand, [...assumed, ...siblings], siblings.length === 0 ? context : 'condition');
    }
  }

  private get isFinished(): boolean {
    return this.claims.isSpent || this.found.length >= MAX_FOUND;
  }

  /** Reports a condition that is always or never true, whatever is around it. */
  private reportConstant(node: Expression): boolean {
    if (isNegation(node)) return this.reportConstant(node.operand);
    if (isConstant(node) || this.isFinished) return false;
    const never = this.claims.findConflict([{ node, isTrue: true }]);
    if (never !== undefined) return this.report('never-true', never, explainConflict(never), findSpan(node, never));
    const always = this.claims.findConflict([{ node, isTrue: false }]);
    if (always === undefined || this.claims.mayFail(node, [])) return false;
    return this.report('always-true', always, explainConflict(always), findSpan(node, always));
  }

  /** Reports an operand that makes no difference where all assumptions hold, or that is never true there. */
  private reportOperand(
    chain: Logical,
    index: number,
    node: Expression,
    siblings: readonly Assumption[],
    assumed: readonly Assumption[],
    context: Context,
  ): boolean {
    const isTrue = LOGICAL[chain.operator].decidedBy;
    const around = [...assumed, ...siblings];
    const conflict = this.claims.findConflict([{ node, isTrue }], around);
    if (conflict === undefined) return false;
    const own = new Set(this.claims.split({ node, isTrue }).map((assumption) => assumption.node));
    const others = conflict.filter((assumption) => !own.has(assumption.node));
    const beside = new Set(
      siblings.flatMap((sibling) => this.claims.split(sibling)).map((assumption) => assumption.node),
    );
    if (isTrue && !others.some((assumption) => beside.has(assumption.node)))
      return this.report('unreachable-condition', conflict, explainConflict(conflict), node.span);
    if (this.claims.mayFail(node, around)) return false;
    this.claims.remove(node);
    return this.report(
      'redundant-condition',
      conflict,
      explainRedundant(chain, node, conflict, others, this.checked.facts),
      node.span,
      () => {
        const left = chain.operands.filter((operand) => !this.claims.isRemoved(operand));
        const isSafe = left.length > 1 || left.every((operand) => this.isSafe(operand, context));
        return isSafe ? removeOperand(chain, index, this.checked.source) : undefined;
      },
    );
  }

  /** Reports items of a list that are in it already. */
  private reportItems(node: Membership): void {
    const seen = new Set<unknown>();
    for (const [index, { value, span }] of node.items.entries()) {
      if (seen.has(value) && !this.isFinished)
        this.report('redundant-condition', [], `${showValue(value)} is in the list already`, span, () =>
          removeItem(node, index),
        );
      seen.add(value);
    }
  }

  /** Returns whether a condition can take the place of a chain of it alone. */
  private isSafe(node: Expression, context: Context): boolean {
    const { types } = getFacts(node, this.checked.facts);
    return context === 'condition' || isSubset(types, context === 'negated' ? CONDITION : BOOLEAN);
  }

  /** Reports a part, unless the checker has already warned of something there. */
  private report(
    code: RelationCode,
    conflict: readonly Claim[],
    why: string | undefined,
    span: Span,
    findFix?: () => Diagnostic['fix'],
  ): true {
    const concerned = [span, ...conflict.map((assumption) => assumption.node.span)];
    const isKnown = this.known.some((other) => concerned.some((place) => overlap(place, other.span)));
    if (!isKnown)
      this.found.push({
        key: `${code} ${span.start} ${span.end}`,
        toDiagnostic: (bySchema) => createWarning(code, span, why, bySchema, bySchema ? undefined : findFix?.()),
      });
    return true;
  }
}

/** Returns the span of a condition, or of those operands that conflict. */
function findSpan(node: Expression, conflict: readonly Claim[]): Span {
  if (node.kind !== 'logical') return node.span;
  const { operands, span } = node;
  const conflicting = operands.filter((operand) => conflict.some((claim) => overlap(claim.node.span, operand.span)));
  const [first, last] = [conflicting[0], conflicting.at(-1)];
  // It makes the other operands useless.
  if (first === undefined || last === undefined || (first === last && isConstant(first))) return span;
  return conflicting.length === operands.length ? span : { start: first.span.start, end: last.span.end };
}

/** Returns whether a condition is `true`, `false` or `not` of one: it is what it says. */
function isConstant(node: Expression): boolean {
  return isNegation(node) ? isConstant(node.operand) : node.kind === 'literal';
}

function overlap(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}
