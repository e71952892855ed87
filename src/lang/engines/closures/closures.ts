import type { Checked } from '../../check/check.ts';
import { toCondition } from '../../operators/coercions.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../../operators/table.ts';
import { castToNumber, castToTruth } from '../../plan/casts.ts';
import { dispatch } from '../../plan/dispatch.ts';
import type { Closure, Engine } from '../../plan/engine.ts';
import { toNumberOrNaN } from '../../plan/numbers.ts';
import type { Apply, LogicalChain, OneOf, Plan, Predicate, Read } from '../../plan/plan.ts';
import { toFilterPlan, toPlan } from '../../plan/to-plan.ts';
import { CONDITION, isSubset, STRING } from '../../types.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Properties } from '../../value.ts';
import { type Kernels, NUMBERS, TESTS } from './kernels.ts';
import type { PropertyReaders } from './leaves.ts';
import { getPropertyReaders } from './leaves-for.ts';

/** The default engine: nested functions, made without `eval`. Each asks of its operands only what it needs. */
export const closures: Engine = {
  toClosure(checked: Checked): Closure {
    return new Compiler(checked.source).value(toPlan(checked));
  },
  toCondition(checked: Checked): Closure<boolean> {
    return new Compiler(checked.source).judged(toFilterPlan(checked));
  },
};

const NOTHING: Properties = Object.freeze({});

/** Each method is a way in which a plan's answer can be asked for. */
class Compiler {
  constructor(private readonly source: string) {}

  /** The answer as it is. */
  value(plan: Plan): Closure {
    switch (plan.kind) {
      case 'constant': {
        const { value } = plan;
        return () => value;
      }
      case 'read':
        return leaf(plan, (leaves) => leaves.value(plan.name));
      case 'time':
        return (_properties, _user, now) => now;
      case 'apply':
        return this.apply(plan);
      case 'between': {
        const { low, high } = plan;
        const number = this.number(plan.operand);
        return (properties, user, now) => {
          const value = number(properties, user, now);
          return Number.isNaN(value) ? undefined : value >= low && value <= high;
        };
      }
      case 'oneOf':
      case 'chain':
        return this.truth(plan);
      default:
        return unreachable(plan);
    }
  }

  /** The answer if it is a number, else NaN. Zero may be negative. */
  number(plan: Plan): Closure<number> {
    if (plan.kind === 'read') return leaf(plan, (leaves) => leaves.number(plan.name));
    if (plan.kind === 'constant') {
      const number = toNumberOrNaN(plan.value);
      return () => number;
    }
    const kernel = plan.kind === 'apply' ? this.kernel(plan, NUMBERS) : undefined;
    if (kernel !== undefined) return kernel;
    const isCast = plan.kind === 'apply' && plan.row === FUNCTIONS.number;
    const value = this.value(isCast ? (plan.operands[0] as Plan) : plan);
    return isCast
      ? (properties, user, now) => castToNumber(value(properties, user, now))
      : (properties, user, now) => toNumberOrNaN(value(properties, user, now));
  }

  /** Whether the answer is true. */
  truth(plan: Plan): Closure<boolean> {
    switch (plan.kind) {
      case 'read':
        return leaf(plan, (leaves) => leaves.equals(plan.name, true));
      case 'between': {
        const { operand, low, high } = plan;
        if (operand.kind === 'read') return leaf(operand, (leaves) => leaves.isBetween(operand.name, low, high));
        const number = this.number(operand);
        return (properties, user, now) => {
          const value = number(properties, user, now);
          return value >= low && value <= high;
        };
      }
      case 'oneOf':
        return plan.negated ? not(this.isOneOf(plan)) : this.isOneOf(plan);
      case 'chain':
        return this.chain(plan);
      case 'constant':
      case 'time':
        return isTrue(this.value(plan));
      case 'apply':
        return this.kernel(plan, TESTS) ?? this.special(plan) ?? isTrue(this.apply(plan));
      default:
        return unreachable(plan);
    }
  }

  /** The answer as an operand of `and` or `or`, or as a filter. */
  judged({ plan, operator, span }: Predicate): Closure<boolean> {
    if (isSubset(plan.types, CONDITION)) return this.truth(plan);
    const { source } = this;
    const value = this.value(plan);
    return (properties, user, now) => toCondition(value(properties, user, now), operator, span, source);
  }

  private isOneOf({ operand, values }: OneOf): Closure<boolean> {
    const [first] = values;
    const plain = !values.includes(undefined);
    if (operand.kind === 'read' && plain) {
      return leaf(operand, (leaves) =>
        values.length === 1 ? leaves.equals(operand.name, first) : leaves.isOneOf(operand.name, new Set(values)),
      );
    }
    if (values.length === 1) {
      const value = typeof first === 'number' ? this.number(operand) : this.value(operand);
      return (properties, user, now) => value(properties, user, now) === first;
    }
    const set = new Set<unknown>(values);
    const value = this.value(operand);
    return (properties, user, now) => set.has(value(properties, user, now));
  }

  private chain({ decidedBy, operands, strictOperands }: LogicalChain): Closure<boolean> {
    const closures = operands.map((operand) => this.judged(operand));
    // What is decided by the first operand that can fail is decided for all.
    return strictOperands > 1 ? judgeAll(closures, decidedBy) : decidedBy ? anyOf(closures) : allOf(closures);
  }

  /** The one overload that the operands can meet, if it has a kernel. */
  private kernel<Answer>({ overloads, operands }: Apply, kernels: Kernels<Answer>): Closure<Answer> | undefined {
    const [only, more] = overloads;
    const kernel = only && more === undefined ? kernels[only.id] : undefined;
    if (kernel === undefined) return undefined;
    const [first, second] = operands.map((operand) => this.number(operand)) as [Closure<number>, Closure<number>];
    return kernel(first, second);
  }

  private special({ row, operands }: Apply): Closure<boolean> | undefined {
    const [first, second] = operands as [Plan, Plan];
    if (row === FUNCTIONS.boolean) {
      const value = this.value(first);
      return (properties, user, now) => castToTruth(value(properties, user, now));
    }
    if (row === PREFIX.not && isSubset(first.types, CONDITION)) return not(this.truth(first));
    if (row === BINARY.in && first.kind === 'constant' && first.types === STRING && second.kind === 'read') {
      return leaf(second, (leaves) => leaves.holds(second.name, first.value as string));
    }
    return undefined;
  }

  private apply({ overloads, operands }: Apply): Closure {
    const answer = dispatch(overloads);
    const [first, second] = operands.map((operand) => this.value(operand)) as [Closure, Closure | undefined];
    return second === undefined
      ? (properties, user, now) => answer(first(properties, user, now))
      : (properties, user, now) => answer(first(properties, user, now), second(properties, user, now));
  }
}

/** A leaf reads a record; the user is one too, and may be missing. */
function leaf<A>({ scope, name }: Read, make: (leaves: PropertyReaders) => Closure<A>): Closure<A> {
  const closure = make(getPropertyReaders(name));
  return scope === 'user' ? (_, user, now) => closure(user ?? NOTHING, undefined, now) : closure;
}

function isTrue(closure: Closure): Closure<boolean> {
  return (properties, user, now) => closure(properties, user, now) === true;
}

function not(closure: Closure<boolean>): Closure<boolean> {
  return (properties, user, now) => !closure(properties, user, now);
}

function allOf(operands: readonly Closure<boolean>[]): Closure<boolean> {
  const [first, second, third] = operands as [Closure<boolean>, Closure<boolean>, Closure<boolean>];
  if (operands.length === 2) {
    return (properties, user, now) => first(properties, user, now) && second(properties, user, now);
  }
  if (operands.length === 3) {
    return (properties, user, now) =>
      first(properties, user, now) && second(properties, user, now) && third(properties, user, now);
  }
  return (properties, user, now) => {
    for (const operand of operands) if (!operand(properties, user, now)) return false;
    return true;
  };
}

function anyOf(operands: readonly Closure<boolean>[]): Closure<boolean> {
  const [first, second, third] = operands as [Closure<boolean>, Closure<boolean>, Closure<boolean>];
  if (operands.length === 2) {
    return (properties, user, now) => first(properties, user, now) || second(properties, user, now);
  }
  if (operands.length === 3) {
    return (properties, user, now) =>
      first(properties, user, now) || second(properties, user, now) || third(properties, user, now);
  }
  return (properties, user, now) => {
    for (const operand of operands) if (operand(properties, user, now)) return true;
    return false;
  };
}

/** Where more than the first operand can fail, a decision does not end the judging: each that can fail must. */
function judgeAll(operands: readonly Closure<boolean>[], decidedBy: boolean): Closure<boolean> {
  return (properties, user, now) => {
    let decided = false;
    for (const operand of operands) if (operand(properties, user, now) === decidedBy) decided = true;
    return decided === decidedBy;
  };
}
