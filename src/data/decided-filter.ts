import type { Expression } from '../lang/ast.ts';
import { checkTree } from '../lang/check/check.ts';
import { closures } from '../lang/engines/closures/closures.ts';
import { ExpressionTypeError } from '../lang/errors.ts';
import { getPlanKey } from '../lang/filters/plan-key.ts';
import { LOGICAL } from '../lang/operators/table.ts';
import type { TimeZone } from '../lang/operators/time-zone.ts';
import type { Closure } from '../lang/plan/engine.ts';
import { toPlan } from '../lang/plan/to-plan.ts';
import { parse } from '../lang/syntax/parse.ts';
import { printInline } from '../lang/syntax/print.ts';
import type { Properties } from '../lang/value.ts';
import { listConditions } from './clause-counts.ts';

/** The result of a clause for a record. A value other than a boolean or undefined is a type error. */
export type ClauseOutcome = 'true' | 'false' | 'undefined' | 'a type error';

/** A part of a filter that has no `and` or `or` outside of comparisons. */
export interface DecidedClause {
  /** The canonical source on one line. */
  readonly code: string;
  /** The same for equal clauses of two filters. */
  readonly key: string;
}

type Node =
  | { readonly kind: 'clause'; readonly index: number }
  | { readonly kind: 'not'; readonly operand: Node }
  | { readonly kind: 'chain'; readonly decidedBy: boolean; readonly operands: readonly Node[] };

interface Decision {
  readonly outcome: ClauseOutcome;
  /** The indexes of the clauses that decide it. */
  readonly clauses: readonly number[];
}

/** A filter that says which of its clauses decide whether it selects a record. */
export class DecidedFilter {
  readonly clauses: DecidedClause[] = [];
  private readonly evaluates: Closure[] = [];
  private readonly root: Node;

  /**
   * @param now The value of `now`, in Unix seconds.
   * @throws {ExpressionSyntaxError} if the filter is not an expression.
   */
  constructor(
    private readonly source: string,
    private readonly now: number,
    private readonly timeZone?: TimeZone,
  ) {
    this.root = this.add(parse(source));
  }

  /** Returns what each clause is on a record. */
  evaluate(properties: Properties, user: Properties | undefined): readonly ClauseOutcome[] {
    return this.evaluates.map((evaluate) => {
      try {
        return toOutcome(evaluate(properties, user, this.now));
      } catch (error) {
        if (error instanceof ExpressionTypeError) return 'a type error';
        throw error;
      }
    });
  }

  /** Returns the indexes of the clauses that decide the filter, where each clause is as given. */
  decide(outcomes: readonly ClauseOutcome[]): readonly number[] {
    return decide(this.root, outcomes).clauses;
  }

  private add(expression: Expression): Node {
    const operands = listConditions(expression);
    if (expression.kind === 'logical')
      return {
        kind: 'chain',
        decidedBy: LOGICAL[expression.operator].decidedBy,
        operands: operands.map((operand) => this.add(operand)),
      };
    const [only] = operands;
    if (only !== undefined) return { kind: 'not', operand: this.add(only) };
    const checked = checkTree(this.source, expression, 'value', { timeZone: this.timeZone });
    this.evaluates.push(closures.toClosure(checked));
    const index = this.clauses.push({ code: printInline(expression), key: getPlanKey(toPlan(checked)) }) - 1;
    return { kind: 'clause', index };
  }
}

function toOutcome(value: unknown): ClauseOutcome {
  return value === undefined || typeof value === 'boolean' ? (`${value}` as ClauseOutcome) : 'a type error';
}

function decide(node: Node, outcomes: readonly ClauseOutcome[]): Decision {
  switch (node.kind) {
    case 'clause':
      return { outcome: outcomes[node.index] as ClauseOutcome, clauses: [node.index] };
    case 'not': {
      const { outcome, clauses } = decide(node.operand, outcomes);
      return { outcome: outcome === 'a type error' ? outcome : outcome === 'true' ? 'false' : 'true', clauses };
    }
    case 'chain': {
      const operands = node.operands.map((operand) => decide(operand, outcomes));
      const failed = operands.filter(({ outcome }) => outcome === 'a type error');
      if (failed.length > 0) return { outcome: 'a type error', clauses: failed.flatMap(({ clauses }) => clauses) };
      const deciding = operands.filter(({ outcome }) => (outcome === 'true') === node.decidedBy);
      const isDecided = deciding.length > 0;
      return {
        outcome: isDecided === node.decidedBy ? 'true' : 'false',
        clauses: (isDecided ? deciding : operands).flatMap(({ clauses }) => clauses),
      };
    }
  }
}
