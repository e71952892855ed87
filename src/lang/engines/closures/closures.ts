import { unreachable } from '../../../base/unreachable.ts';
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
import type { Properties } from '../../value.ts';
import { getPropertyReaders } from './get-property-readers.ts';
import { type Kernels, NUMBERS, TESTS } from './kernels.ts';
import type { PropertyReaders } from './property-readers.ts';

/** The default engine. It compiles to nested functions without `eval`, each specialised for what its caller needs. */
export const closures: Engine = {
  toClosure(checked: Checked): Closure {
    return new ClosureCompiler(checked.source).compileValue(toPlan(checked));
  },
  toCondition(checked: Checked): Closure<boolean> {
    return compilePredicate(toFilterPlan(checked), checked.source);
  },
};

/** Compiles a part of a filter. The source is for type errors. */
export function compilePredicate(predicate: Predicate, source: string): Closure<boolean> {
  return new ClosureCompiler(source).compileCondition(predicate);
}

const NO_PROPERTIES: Properties = Object.freeze({});

/** Reads a property of the record or of its user, who may be missing. */
const readRecord: CompileRead = ({ scope, name }, make) => {
  const closure = make(getPropertyReaders(name));
  return scope === 'user' ? (_, user, now) => closure(user ?? NO_PROPERTIES, undefined, now) : closure;
};

/** Compiles the reading of a property with the readers that it passes to `make`. */
type CompileRead = <Result>(read: Read, make: (readers: PropertyReaders) => Closure<Result>) => Closure<Result>;

/** Each method compiles a plan for one kind of result. */
export class ClosureCompiler {
  constructor(
    private readonly source: string,
    private readonly compileRead: CompileRead = readRecord,
  ) {}

  /** Compiles the value. */
  compileValue(plan: Plan): Closure {
    switch (plan.kind) {
      case 'constant': {
        const { value } = plan;
        return () => value;
      }
      case 'read':
        return this.compileRead(plan, (readers) => readers.readValue(plan.name));
      case 'time':
        return (_properties, _user, now) => now;
      case 'apply':
        return this.compileApply(plan);
      case 'between': {
        const { low, high } = plan;
        const number = this.compileNumber(plan.operand);
        return (properties, user, now) => {
          const value = number(properties, user, now);
          return Number.isNaN(value) ? undefined : value >= low && value <= high;
        };
      }
      case 'oneOf':
      case 'chain':
        return this.compileTruth(plan);
      default:
        return unreachable(plan);
    }
  }

  /** Compiles the value if it is a number, else NaN. Zero may be negative. */
  compileNumber(plan: Plan): Closure<number> {
    if (plan.kind === 'read') return this.compileRead(plan, (readers) => readers.readNumber(plan.name));
    if (plan.kind === 'constant') {
      const number = toNumberOrNaN(plan.value);
      return () => number;
    }
    const kernel = plan.kind === 'apply' ? this.compileKernel(plan, NUMBERS) : undefined;
    if (kernel !== undefined) return kernel;
    const isCast = plan.kind === 'apply' && plan.row === FUNCTIONS.number;
    const value = this.compileValue(isCast ? (plan.operands[0] as Plan) : plan);
    return isCast
      ? (properties, user, now) => castToNumber(value(properties, user, now))
      : (properties, user, now) => toNumberOrNaN(value(properties, user, now));
  }

  /** Compiles whether the value is true. */
  compileTruth(plan: Plan): Closure<boolean> {
    switch (plan.kind) {
      case 'read':
        return this.compileRead(plan, (readers) => readers.equals(plan.name, true));
      case 'between': {
        const { operand, low, high } = plan;
        if (operand.kind === 'read') {
          return this.compileRead(operand, (readers) => readers.isBetween(operand.name, low, high));
        }
        const number = this.compileNumber(operand);
        return (properties, user, now) => {
          const value = number(properties, user, now);
          return value >= low && value <= high;
        };
      }
      case 'oneOf':
        return plan.negated ? negate(this.compileOneOf(plan)) : this.compileOneOf(plan);
      case 'chain':
        return this.compileChain(plan);
      case 'constant':
      case 'time':
        return isTrue(this.compileValue(plan));
      case 'apply':
        return this.compileKernel(plan, TESTS) ?? this.compileSpecialCase(plan) ?? isTrue(this.compileApply(plan));
      default:
        return unreachable(plan);
    }
  }

  /** Compiles a boolean for an operand of `and` or `or`, or for a filter. */
  compileCondition({ plan, operator, span }: Predicate): Closure<boolean> {
    if (isSubset(plan.types, CONDITION)) return this.compileTruth(plan);
    const { source } = this;
    const value = this.compileValue(plan);
    return (properties, user, now) => toCondition(value(properties, user, now), operator, span, source);
  }

  private compileOneOf({ operand, values }: OneOf): Closure<boolean> {
    const [first] = values;
    const plain = !values.includes(undefined);
    if (operand.kind === 'read' && plain) {
      return this.compileRead(operand, (readers) =>
        values.length === 1 ? readers.equals(operand.name, first) : readers.isOneOf(operand.name, new Set(values)),
      );
    }
    if (values.length === 1) {
      const value = typeof first === 'number' ? this.compileNumber(operand) : this.compileValue(operand);
      return (properties, user, now) => value(properties, user, now) === first;
    }
    const set = new Set<unknown>(values);
    const value = this.compileValue(operand);
    return (properties, user, now) => set.has(value(properties, user, now));
  }

  private compileChain({ decidedBy, operands, strictOperands }: LogicalChain): Closure<boolean> {
    const closures = operands.map((operand) => this.compileCondition(operand));
    // If only the first operand can fail, evaluation can stop as soon as the result is decided.
    return strictOperands > 1 ? evaluateAll(closures, decidedBy) : decidedBy ? anyOf(closures) : allOf(closures);
  }

  /** Compiles the kernel of the only possible overload, if it has one. */
  private compileKernel<Result>({ overloads, operands }: Apply, kernels: Kernels<Result>): Closure<Result> | undefined {
    const [only, more] = overloads;
    const kernel = only && more === undefined ? kernels[only.id] : undefined;
    if (kernel === undefined) return undefined;
    type Numbers = [Closure<number>, Closure<number>];
    const [first, second] = operands.map((operand) => this.compileNumber(operand)) as Numbers;
    return kernel(first, second);
  }

  private compileSpecialCase({ row, operands }: Apply): Closure<boolean> | undefined {
    const [first, second] = operands as [Plan, Plan];
    if (row === FUNCTIONS.boolean) {
      const value = this.compileValue(first);
      return (properties, user, now) => castToTruth(value(properties, user, now));
    }
    if (row === PREFIX.not && isSubset(first.types, CONDITION)) return negate(this.compileTruth(first));
    if (row === BINARY.in && first.kind === 'constant' && first.types === STRING && second.kind === 'read') {
      return this.compileRead(second, (readers) => readers.contains(second.name, first.value as string));
    }
    return undefined;
  }

  private compileApply({ overloads, operands }: Apply): Closure {
    const applyOverload = dispatch(overloads);
    const [first, second] = operands.map((operand) => this.compileValue(operand)) as [Closure, Closure | undefined];
    return second === undefined
      ? (properties, user, now) => applyOverload(first(properties, user, now))
      : (properties, user, now) => applyOverload(first(properties, user, now), second(properties, user, now));
  }
}

function isTrue(closure: Closure): Closure<boolean> {
  return (properties, user, now) => closure(properties, user, now) === true;
}

function negate(closure: Closure<boolean>): Closure<boolean> {
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

/** Evaluates every operand, even after the result is decided, because each may raise a type error. */
function evaluateAll(operands: readonly Closure<boolean>[], decidedBy: boolean): Closure<boolean> {
  return (properties, user, now) => {
    let decided = false;
    for (const operand of operands) if (operand(properties, user, now) === decidedBy) decided = true;
    return decided === decidedBy;
  };
}
