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

/** An expression with the source it takes, its parentheses included, and how many levels it has (language, section 2). */
export interface Operand {
  readonly node: Expression;
  readonly span: Span;
  readonly depth: number;
}

/** Thrown where an expression exceeds the limit on its depth, before it can cost more. */
export class DepthError extends Error {
  constructor(readonly span: Span) {
    super('Nested too deep');
  }
}

/** An operator whose right operand is not yet complete. */
interface Pending {
  readonly row: InfixRow;
  /** Where it stands in the source. */
  readonly start: number;
}

/**
 * Groups a flat sequence of operators and operands by the powers in the operator table, without recursion: an operator waits
 * until one that binds no tighter, or the end, shows that its right operand is complete. An expression in parentheses
 * stands on top of the one around it.
 */
export class OperatorStack {
  private operands: Operand[] = [];
  private pending: Pending[] = [];
  /** How many of the pending operators belong to expressions around this one. */
  private bottom = 0;
  private list: Span | undefined;

  private maxDepth = 0;

  constructor(private readonly report: (diagnostic: Diagnostic) => void) {}

  /** Prepares for a new source and discards what the last one left. */
  reset(maxDepth: number): void {
    this.maxDepth = maxDepth;
    if (this.operands.length > 0) this.operands = [];
    if (this.pending.length > 0) this.pending = [];
    this.bottom = 0;
    this.list = undefined;
  }

  /** Begins an expression; what it returns is for {@link close}. */
  open(): number {
    const around = this.bottom;
    this.bottom = this.pending.length;
    return around;
  }

  /** Ends the expression that was begun last. */
  close(around: number): Operand {
    this.reduce(0);
    this.bottom = around;
    this.list = undefined;
    return this.pop();
  }

  prefix(row: StrictRow, token: IToken): void {
    const before = this.top?.row;
    if (before !== undefined && before.power > row.power)
      this.report(diagnose('misplaced-not', getTokenSpan(token), { before: before.name }));
    this.pending.push({ row, start: token.startOffset });
  }

  operand(operand: Operand): void {
    if (operand.depth > this.maxDepth) throw new DepthError(operand.span);
    this.operands.push(operand);
  }

  infix(row: InfixRow, token: IToken): void {
    if (this.list !== undefined && row.power > POWER.comparison) this.report(diagnose('misplaced-list', this.list));
    this.list = undefined;
    this.reduce(row.power);
    this.pending.push({ row, start: token.startOffset });
  }

  /** A written list: the right operand of the `in` that was just met. */
  items(items: readonly Literal[], listSpan: Span): void {
    this.pending.pop();
    const { node, span, depth } = this.pop();
    const whole = { start: span.start, end: listSpan.end };
    this.list = listSpan;
    this.operand({
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

  /** Completes the waiting operators that bind at least as tight. */
  private reduce(power: number): void {
    for (let { top } = this; top !== undefined && top.row.power >= power; { top } = this) {
      this.pending.pop();
      const right = this.pop();
      this.operand(top.row.fixity === 'prefix' ? prefix(top, right) : infix(top.row, this.pop(), right));
    }
  }
}

function prefix({ row, start }: Pending, { node, span: { end }, depth }: Operand): Operand {
  const span = { start, end };
  return { node: { kind: 'prefix', operator: row.name as PrefixName, operand: node, span }, span, depth: depth + 1 };
}

function infix(row: InfixRow, left: Operand, right: Operand): Operand {
  const span = { start: left.span.start, end: right.span.end };
  if (row.fixity === 'logical') return chain(row.name as LogicalName, left, right, span);
  return { node: strict(row, left.node, right.node, span), span, depth: Math.max(left.depth, right.depth) + 1 };
}

function strict(row: InfixRow, left: Expression, right: Expression, span: Span): Expression {
  const ofTimes = isComparison(row) && (isDatetimeCall(left) || isDatetimeCall(right));
  return ofTimes
    ? { kind: 'timeComparison', operator: row.name as ComparisonName, left, right, span }
    : { kind: 'binary', operator: row.name as BinaryName, left, right, span };
}

/** `a and b and c` groups to the left; the tree holds it as one chain, which grows in place so that a long one stays linear. */
function chain(operator: LogicalName, left: Operand, right: Operand, span: Span): Operand {
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
