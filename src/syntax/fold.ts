import type { BinaryName, ComparisonName, Expression, Literal, LogicalName, PrefixName } from '../language/ast.ts';
import { isDatetimeCall } from '../language/ast.ts';
import { type Diagnostic, diagnose } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { POWER, type Power } from '../operators/row.ts';
import { BINARY, LOGICAL, PREFIX } from '../operators/table.ts';

/** An expression with the source it takes, its parentheses included, and how many levels it has (language, section 2). */
export interface Operand {
  readonly node: Expression;
  readonly span: Span;
  readonly depth: number;
}

/** Thrown where an expression exceeds the limit on its depth, before it can cost more. */
export class TooDeep extends Error {
  constructor(readonly span: Span) {
    super('Nested too deep');
  }
}

type Pending = { readonly power: Power; readonly span: Span } & (
  | { readonly fixity: 'prefix'; readonly name: PrefixName }
  | { readonly fixity: 'infix'; readonly name: BinaryName | LogicalName }
);

/**
 * Groups a flat sequence of operators and operands by the powers in the operator table, without recursion: an operator waits
 * until one that binds no tighter, or the end, shows that its right operand is complete.
 */
export class Fold {
  private readonly operands: Operand[] = [];
  private readonly pending: Pending[] = [];
  private list: Span | undefined;

  constructor(
    private readonly maxDepth: number,
    private readonly report: (diagnostic: Diagnostic) => void,
  ) {}

  prefix(name: PrefixName, span: Span): void {
    const { power } = PREFIX[name];
    const before = this.pending.at(-1);
    if (before !== undefined && before.power > power)
      this.report(diagnose('misplaced-not', span, { before: before.name }));
    this.pending.push({ fixity: 'prefix', name, power, span });
  }

  operand(operand: Operand): void {
    if (operand.depth > this.maxDepth) throw new TooDeep(operand.span);
    this.operands.push(operand);
  }

  infix(name: BinaryName | LogicalName, span: Span): void {
    const { power } = isLogical(name) ? LOGICAL[name] : BINARY[name];
    if (this.list !== undefined && power > POWER.comparison) this.report(diagnose('misplaced-list', this.list));
    this.list = undefined;
    this.reduce(power);
    this.pending.push({ fixity: 'infix', name, power, span });
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

  finish(): Operand {
    this.reduce(0);
    return this.pop();
  }

  private pop(): Operand {
    const operand = this.operands.pop();
    if (operand === undefined) throw new Error('An operator without its operand was folded');
    return operand;
  }

  /** Completes the waiting operators that bind at least as tight. */
  private reduce(power: number): void {
    for (let top = this.pending.at(-1); top !== undefined && top.power >= power; top = this.pending.at(-1)) {
      this.pending.pop();
      this.operand(
        top.fixity === 'prefix' ? prefix(top.name, top.span, this.pop()) : infix(top.name, this.pop(), this.pop()),
      );
    }
  }
}

function prefix(operator: PrefixName, operatorSpan: Span, operand: Operand): Operand {
  const span = { start: operatorSpan.start, end: operand.span.end };
  return { node: { kind: 'prefix', operator, operand: operand.node, span }, span, depth: operand.depth + 1 };
}

function infix(name: BinaryName | LogicalName, right: Operand, left: Operand): Operand {
  const span = { start: left.span.start, end: right.span.end };
  if (isLogical(name)) return chain(name, left, right, span);
  const depth = Math.max(left.depth, right.depth) + 1;
  const sides = { left: left.node, right: right.node, span };
  const ofTimes = isComparison(name) && (isDatetimeCall(left.node) || isDatetimeCall(right.node));
  return ofTimes
    ? { node: { kind: 'timeComparison', operator: name, ...sides }, span, depth }
    : { node: { kind: 'binary', operator: name, ...sides }, span, depth };
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

function isLogical(name: BinaryName | LogicalName): name is LogicalName {
  return Object.hasOwn(LOGICAL, name);
}

function isComparison(name: BinaryName): name is ComparisonName {
  return BINARY[name].power === POWER.comparison && name !== 'in';
}
