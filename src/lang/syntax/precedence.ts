import type { IToken } from 'chevrotain';
import {
  type BinaryName,
  type ComparisonName,
  type Expression,
  isDatetimeCall,
  type Literal,
  type LogicalName,
  type PrefixName,
} from '../ast.ts';
import { type Diagnostic, diagnose } from '../diagnostic.ts';
import { POWER, type StrictRow } from '../operators/row.ts';
import type { Span } from '../source.ts';
import { getTokenSpan, type InfixRow } from './vocabulary.ts';

/** A node, its span including parentheses around it, and its levels of nesting (language, section 2). */
export interface Operand {
  readonly node: Expression;
  readonly span: Span;
  readonly depth: number;
}

/** Thrown as soon as an expression exceeds the limit on its depth. */
export class DepthError extends Error {
  constructor(readonly span: Span) {
    super('Nested too deep');
  }
}

/** An operator whose right operand is not yet complete. */
interface Pending {
  readonly row: InfixRow;
  /** Its offset in the source. */
  readonly start: number;
}

/**
 * Groups a flat sequence of operators and operands by the powers in the operator table, without recursion. An operator
 * is pending until the end, or an operator that binds no tighter, shows that its right operand is complete. The
 * operators of an expression in parentheses are above those of the expression around it.
 */
export class OperatorStack {
  private operands: Operand[] = [];
  private pending: Pending[] = [];
  /** The number of pending operators that belong to expressions around this one. */
  private bottom = 0;
  /** The span of the last list, if nothing follows it yet. */
  private list: Span | undefined;

  private maxDepth = 0;

  constructor(private readonly report: (diagnostic: Diagnostic) => void) {}

  /** Prepares for a new source, and discards what a failed parse left. */
  reset(maxDepth: number): void {
    this.maxDepth = maxDepth;
    if (this.operands.length > 0) this.operands = [];
    if (this.pending.length > 0) this.pending = [];
    this.bottom = 0;
    this.list = undefined;
  }

  /** Begins an expression. Pass the result to {@link close}. */
  open(): number {
    const outer = this.bottom;
    this.bottom = this.pending.length;
    return outer;
  }

  /** Ends the innermost expression and returns it. */
  close(outer: number): Operand {
    this.reduce(0);
    this.bottom = outer;
    this.list = undefined;
    return this.pop();
  }

  addPrefix(row: StrictRow, token: IToken): void {
    const before = this.top?.row;
    if (before !== undefined && before.power > row.power)
      this.report(diagnose('misplaced-not', getTokenSpan(token), { before: before.name }));
    this.pending.push({ row, start: token.startOffset });
  }

  addOperand(operand: Operand): void {
    if (operand.depth > this.maxDepth) throw new DepthError(operand.span);
    this.operands.push(operand);
  }

  addInfix(row: InfixRow, token: IToken): void {
    if (this.list !== undefined && row.power > POWER.comparison) this.report(diagnose('misplaced-list', this.list));
    this.list = undefined;
    this.reduce(row.power);
    this.pending.push({ row, start: token.startOffset });
  }

  /** Adds a literal list, the right operand of the `in` before it. */
  addList(items: readonly Literal[], listSpan: Span): void {
    this.pending.pop();
    const { node, span, depth } = this.pop();
    const whole = { start: span.start, end: listSpan.end };
    this.list = listSpan;
    this.addOperand({
      node: { kind: 'membership', operator: 'in', operand: node, items, span: whole },
      span: whole,
      depth: depth + 1,
    });
  }

  private get top(): Pending | undefined {
    return this.pending.length > this.bottom ? this.pending[this.pending.length - 1] : undefined;
  }

  private pop(): Operand {
    const operand = this.operands.pop();
    if (operand === undefined) throw new Error('An operator has no operand');
    return operand;
  }

  /** Completes the pending operators that bind at least as tight as `power`. */
  private reduce(power: number): void {
    for (let { top } = this; top !== undefined && top.row.power >= power; { top } = this) {
      this.pending.pop();
      const right = this.pop();
      this.addOperand(top.row.fixity === 'prefix' ? createPrefix(top, right) : createInfix(top.row, this.pop(), right));
    }
  }
}

function createPrefix({ row, start }: Pending, { node, span: { end }, depth }: Operand): Operand {
  const span = { start, end };
  return { node: { kind: 'prefix', operator: row.name as PrefixName, operand: node, span }, span, depth: depth + 1 };
}

function createInfix(row: InfixRow, left: Operand, right: Operand): Operand {
  const span = { start: left.span.start, end: right.span.end };
  if (row.fixity === 'logical') return createChain(row.name as LogicalName, left, right, span);
  return { node: createBinary(row, left.node, right.node, span), span, depth: Math.max(left.depth, right.depth) + 1 };
}

function createBinary(row: InfixRow, left: Expression, right: Expression, span: Span): Expression {
  const comparesTimes = isComparison(row) && (isDatetimeCall(left) || isDatetimeCall(right));
  return comparesTimes
    ? { kind: 'timeComparison', operator: row.name as ComparisonName, left, right, span }
    : { kind: 'binary', operator: row.name as BinaryName, left, right, span };
}

/** `a and b and c` groups to the left, but is one node. It grows in place, so that long chains take linear time. */
function createChain(operator: LogicalName, left: Operand, right: Operand, span: Span): Operand {
  const continues = left.node.kind === 'logical' && left.node.operator === operator;
  const operands = continues ? (left.node.operands as Expression[]) : [left.node];
  operands.push(right.node);
  return {
    node: { kind: 'logical', operator, operands, span },
    span,
    depth: Math.max(continues ? left.depth : left.depth + 1, right.depth + 1),
  };
}

function isComparison({ name, power }: InfixRow): boolean {
  return power === POWER.comparison && name !== 'in';
}
