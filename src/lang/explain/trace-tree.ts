import type { Expression, Property } from '../ast.ts';
import { getChildren, isDatetimeCall } from '../ast.ts';
import type { Checked, Use } from '../check/check.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { type InterpretInput, interpret } from '../engines/interpret.ts';
import { ExpressionTypeError } from '../errors.ts';
import { toCondition } from '../operators/coercions.ts';
import { explainUndefined } from '../operators/explain-undefined.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../operators/table.ts';
import { hasProperty, type Value } from '../value.ts';
import { type Explained, explainNode } from './explain-tree.ts';

/** A subexpression with its value on one record: plain data. */
export interface Traced extends Explained {
  /** Its value, which can be undefined. Omitted if a type error inside it prevents one. */
  readonly value?: Value;
  /** The type error that evaluating it raises. A filter that is not a boolean has a value and an error. */
  readonly error?: Diagnostic;
  /** For a property: true if the record does not have it. A property that is present can be undefined, like objects. */
  readonly missing?: boolean;
  /** Why an operator is undefined although its operands are not, such as `division by zero`. */
  readonly cause?: string;
  readonly children: readonly Traced[];
}

/** The value of a node, or the type error that it raises. */
type Outcome = { readonly value: Value } | { readonly error: ExpressionTypeError };

/** Evaluates every node of a tree on a record, including nodes that an evaluation does not reach after a type error. */
export function traceTree(checked: Checked, input: InterpretInput, use: Use): Traced {
  const traced = new Tracer(checked, input).trace(checked.tree);
  if (use !== 'where' || traced.error !== undefined) return traced;
  const condition = tryEvaluate(() => toCondition(traced.value, 'where', traced.span, checked.source));
  return 'error' in condition ? { ...traced, error: toDiagnostic(condition.error) } : traced;
}

class Tracer {
  private readonly outcomes = new Map<Expression, Outcome>();

  constructor(
    private readonly checked: Checked,
    private readonly input: InterpretInput,
  ) {}

  trace(node: Expression): Traced {
    const children = getChildren(node).map((child) => this.trace(child));
    const outcome = tryEvaluate(() =>
      interpret(node, this.input, this.checked.source, (child) => this.getValue(child)),
    );
    this.outcomes.set(node, outcome);
    const cause = 'value' in outcome && outcome.value === undefined ? this.findCause(node) : undefined;
    return {
      ...explainNode(node, this.checked),
      ...('error' in outcome ? { error: toDiagnostic(outcome.error) } : outcome),
      ...(node.kind === 'property' && { missing: !this.hasProperty(node) }),
      ...(cause !== undefined && { cause }),
      children,
    };
  }

  private findCause(node: Expression): string | undefined {
    switch (node.kind) {
      case 'call':
        return explainUndefined(FUNCTIONS[node.operator], [this.getValue(node.operand)]);
      case 'prefix':
        return explainUndefined(PREFIX[node.operator], [this.getValue(node.operand)]);
      case 'binary':
        return explainUndefined(BINARY[node.operator], [this.getValue(node.left), this.getValue(node.right)]);
      case 'timeComparison': {
        const sides = [node.left, node.right].filter((side) => !isDatetimeCall(side));
        const causes = sides.map((side) => explainUndefined(FUNCTIONS.datetime, [this.getValue(side)]));
        return causes.find((cause) => cause !== undefined);
      }
      default:
        return undefined;
    }
  }

  private getValue(child: Expression): Value {
    const outcome = this.outcomes.get(child);
    if (outcome === undefined) throw new Error('The value of a node was read before it was traced');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  private hasProperty({ scope, name }: Property): boolean {
    try {
      return hasProperty(scope === 'user' ? this.input.user : this.input.properties, name);
    } catch {
      return true;
    }
  }
}

function tryEvaluate(evaluate: () => Value): Outcome {
  try {
    return { value: evaluate() };
  } catch (error) {
    if (error instanceof ExpressionTypeError) return { error };
    throw error;
  }
}

function toDiagnostic({ diagnostics: [diagnostic] }: ExpressionTypeError): Diagnostic {
  if (diagnostic === undefined) throw new Error('A type error has no diagnostic');
  return diagnostic;
}
