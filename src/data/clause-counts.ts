import type { Expression } from '../lang/ast.ts';
import { checkTree, type PropertyRead } from '../lang/check/check.ts';
import { closures } from '../lang/engines/closures/closures.ts';
import { ExpressionTypeError } from '../lang/errors.ts';
import type { TimeZone } from '../lang/operators/time-zone.ts';
import type { Closure } from '../lang/plan/engine.ts';
import type { Span } from '../lang/source.ts';
import { parse } from '../lang/syntax/parse.ts';
import { printInline } from '../lang/syntax/print.ts';
import { hasProperty, type Properties, type Value } from '../lang/value.ts';

/** The records without a property that a clause reads. */
interface MissingCount extends PropertyRead {
  readonly count: number;
}

/**
 * A part of a filter with its counts. `and`, `or`, and a `not` around one of them, have `clauses`; any other part is a
 * clause and has none. Every operand of an `and` sees the records that the operands before it match; every operand of an
 * `or` sees all records that the `or` sees.
 */
export interface ClauseCounts {
  readonly kind: 'and' | 'or' | 'not' | 'clause';
  readonly span: Span;
  /** The canonical source on one line. */
  readonly code: string;
  /** The records that it sees. */
  readonly seen: number;
  /** Those of them for which it is true. */
  readonly matched: number;
  /** Operands of `or` only: the records that it matches and that no operand before it matches. */
  readonly added?: number;
  /** The records that it does not match because it is undefined, although they have all properties that it reads. */
  readonly undefined: number;
  /** The records that it does not match and that lack a property that it reads, for each property. */
  readonly missing: readonly MissingCount[];
  /** The records on which it raises a type error. */
  readonly errors: number;
  readonly clauses: readonly ClauseCounts[];
}

/** The counts of a filter. */
export interface FilterCounts {
  readonly records: number;
  /** The records on which the filter raises a type error. They count nowhere else but in `errors` of clauses. */
  readonly errors: number;
  /** The whole filter: what it matches is what the filter selects. */
  readonly tree: ClauseCounts;
}

/** Counts that can be sent between threads and added to those of another counter of the same filter. */
export type CountedClauses = readonly (readonly number[])[];

/** Counts, clause by clause, how many records a filter matches. */
export class ClauseCounter {
  private readonly root: Node;
  /** All nodes, parents before their children. */
  private readonly nodes: readonly Node[];
  private records = 0;
  private errors = 0;

  /**
   * @param now The value of `now`, in Unix seconds.
   * @throws {ExpressionSyntaxError} if the filter is not an expression.
   */
  constructor(source: string, now: number, timeZone?: TimeZone) {
    this.root = createNode(source, parse(source), { now, timeZone });
    this.nodes = listNodes(this.root);
  }

  /** Counts a record. A type error is counted and not thrown. */
  add(properties: Properties, user?: Properties): void {
    this.records++;
    // All clauses are evaluated first: one that fails makes the filter fail, wherever it is.
    let hasFailed = false;
    for (const node of this.nodes) if (!judge(node, properties, user)) hasFailed = true;
    if (hasFailed) this.errors++;
    else countNode(this.root, properties, user);
  }

  /** Returns and resets the counts. */
  take(): CountedClauses {
    const counted = [
      [this.records, this.errors],
      ...this.nodes.map(({ seen, matched, added, undefined: none, errors, missing }) => [
        ...[seen, matched, added, none, errors],
        ...missing,
      ]),
    ];
    this.records = 0;
    this.errors = 0;
    for (const node of this.nodes) Object.assign(node, createCounts(node.reads.length));
    return counted;
  }

  /** Adds the counts of another counter of the same filter. */
  merge([totals = [], ...counted]: CountedClauses): void {
    this.records += totals[0] ?? 0;
    this.errors += totals[1] ?? 0;
    for (const [index, node] of this.nodes.entries()) {
      const [seen = 0, matched = 0, added = 0, none = 0, errors = 0, ...missing] = counted[index] ?? [];
      node.seen += seen;
      node.matched += matched;
      node.added += added;
      node.undefined += none;
      node.errors += errors;
      for (const [position, count] of missing.entries()) node.missing[position] = (node.missing[position] ?? 0) + count;
    }
  }

  get counts(): FilterCounts {
    return { records: this.records, errors: this.errors, tree: toCounts(this.root, false) };
  }
}

interface Counts {
  seen: number;
  matched: number;
  added: number;
  undefined: number;
  errors: number;
  /** For each property that a clause reads. */
  missing: number[];
}

interface Node extends Counts {
  readonly kind: ClauseCounts['kind'];
  readonly expression: Expression;
  readonly children: readonly Node[];
  /** Only clauses. */
  readonly evaluate: Closure | undefined;
  readonly reads: readonly PropertyRead[];
  readonly now: number;
  /** The value of a clause for the current record. */
  value: Value;
}

function createCounts(reads: number): Counts {
  return { seen: 0, matched: 0, added: 0, undefined: 0, errors: 0, missing: new Array<number>(reads).fill(0) };
}

/** When a filter is evaluated. */
interface Moment {
  readonly now: number;
  readonly timeZone: TimeZone | undefined;
}

function createNode(source: string, expression: Expression, moment: Moment): Node {
  const operands = listConditions(expression);
  const children = operands.map((operand) => createNode(source, operand, moment));
  if (children.length > 0) {
    const kind = expression.kind === 'logical' ? expression.operator : 'not';
    const empty = { evaluate: undefined, reads: [], now: moment.now, value: undefined };
    return { kind, expression, children, ...empty, ...createCounts(0) };
  }
  const { now, timeZone } = moment;
  const checked = checkTree(source, expression, 'value', { timeZone });
  const evaluate = closures.toClosure(checked);
  const reads = checked.properties;
  return {
    kind: 'clause',
    expression,
    children,
    evaluate,
    reads,
    now,
    value: undefined,
    ...createCounts(reads.length),
  };
}

/** Returns the operands of `and`, `or`, and of a `not` around one of them, which is always a boolean. */
export function listConditions(node: Expression): readonly Expression[] {
  if (node.kind === 'logical') return node.operands;
  const isNot = node.kind === 'prefix' && node.operator === 'not';
  return isNot && listConditions(node.operand).length > 0 ? [node.operand] : [];
}

function listNodes(node: Node): readonly Node[] {
  return [node, ...node.children.flatMap(listNodes)];
}

/** Evaluates a clause. Returns false if it fails: it raises a type error, or is neither a boolean nor undefined. */
function judge(node: Node, properties: Properties, user: Properties | undefined): boolean {
  if (node.evaluate === undefined) return true;
  try {
    node.value = node.evaluate(properties, user, node.now);
    if (node.value === undefined || typeof node.value === 'boolean') return true;
  } catch (error) {
    if (!(error instanceof ExpressionTypeError)) throw error;
  }
  node.errors++;
  return false;
}

/** Counts a record that a node sees, and returns whether the node matches it. */
function countNode(node: Node, properties: Properties, user: Properties | undefined): boolean {
  node.seen++;
  const matches = matchNode(node, properties, user);
  if (matches) node.matched++;
  return matches;
}

function matchNode(node: Node, properties: Properties, user: Properties | undefined): boolean {
  const { kind, children, value } = node;
  switch (kind) {
    case 'and':
      return children.every((child) => countNode(child, properties, user));
    case 'or': {
      let matches = false;
      for (const child of children) {
        if (!countNode(child, properties, user)) continue;
        if (!matches) child.added++;
        matches = true;
      }
      return matches;
    }
    case 'not':
      return !children.some((child) => countNode(child, properties, user));
    case 'clause':
      if (value !== true) countReasons(node, properties, user);
      return value === true;
  }
}

function countReasons(node: Node, properties: Properties, user: Properties | undefined): void {
  let isMissing = false;
  for (const [index, { scope, name }] of node.reads.entries()) {
    if (hasOwn(scope === 'user' ? user : properties, name)) continue;
    isMissing = true;
    node.missing[index] = (node.missing[index] ?? 0) + 1;
  }
  if (!isMissing && node.value === undefined) node.undefined++;
}

function hasOwn(record: Properties | undefined, name: string): boolean {
  try {
    return hasProperty(record, name);
  } catch {
    return true;
  }
}

function toCounts(node: Node, isOperandOfOr: boolean): ClauseCounts {
  const { kind, expression, children, seen, matched, added, errors, missing, reads } = node;
  return {
    kind,
    span: expression.span,
    code: printInline(expression),
    seen,
    matched,
    ...(isOperandOfOr && { added }),
    undefined: node.undefined,
    missing: reads.flatMap((read, index) =>
      (missing[index] ?? 0) > 0 ? [{ ...read, count: missing[index] ?? 0 }] : [],
    ),
    errors,
    clauses: children.map((child) => toCounts(child, kind === 'or')),
  };
}
