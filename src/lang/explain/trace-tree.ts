import type { Expression, Property } from '../ast.ts';
import { getChildren } from '../ast.ts';
import type { Checked, Use } from '../check/check.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { type InterpretInput, interpret } from '../engines/interpret.ts';
import { ExpressionTypeError } from '../errors.ts';
import { toCondition } from '../operators/coercions.ts';
import { hasProperty, type Value } from '../value.ts';
import { type Explained, explainNode } from './explain-tree.ts';

/** A sub-expression and what it is on one record: plain data. */
export interface Traced extends Explained {
  /** Its value, which may be undefined; there is none where a type error below takes its place. */
  readonly value?: Value;
  /** The type error that evaluating it raises. Of a filter as a whole, its value stands beside it. */
  readonly error?: Diagnostic;
  /** Of a property: whether the record does not have it. One that it has may be undefined too, as objects are. */
  readonly missing?: boolean;
  readonly children: readonly Traced[];
}

/** What a node answers: its value, or the type error that it raises. */
type Outcome = { readonly value: Value } | { readonly error: ExpressionTypeError };

/** Evaluates every node of a tree on a record, those too before which a type error ends an evaluation. */
export function traceTree(checked: Checked, input: InterpretInput, use: Use): Traced {
  const traced = new Tracer(checked, input).trace(checked.tree);
  if (use !== 'where' || traced.error !== undefined) return traced;
  const judged = attempt(() => toCondition(traced.value, 'where', traced.span, checked.source));
  return 'error' in judged ? { ...traced, error: diagnosticOf(judged.error) } : traced;
}

class Tracer {
  private readonly outcomes = new Map<Expression, Outcome>();

  constructor(
    private readonly checked: Checked,
    private readonly input: InterpretInput,
  ) {}

  trace(node: Expression): Traced {
    const children = getChildren(node).map((child) => this.trace(child));
    const outcome = attempt(() => interpret(node, this.input, this.checked.source, (child) => this.answer(child)));
    this.outcomes.set(node, outcome);
    return {
      ...explainNode(node, this.checked),
      ...('error' in outcome ? { error: diagnosticOf(outcome.error) } : outcome),
      ...(node.kind === 'property' && { missing: !this.has(node) }),
      children,
    };
  }

  private answer(child: Expression): Value {
    const outcome = this.outcomes.get(child);
    if (outcome === undefined) throw new Error('A node was asked for before it was traced');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  private has({ scope, name }: Property): boolean {
    try {
      return hasProperty(scope === 'user' ? this.input.user : this.input.properties, name);
    } catch {
      return true;
    }
  }
}

function attempt(run: () => Value): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof ExpressionTypeError) return { error };
    throw error;
  }
}

function diagnosticOf({ diagnostics: [diagnostic] }: ExpressionTypeError): Diagnostic {
  if (diagnostic === undefined) throw new Error('A type error says nothing');
  return diagnostic;
}
