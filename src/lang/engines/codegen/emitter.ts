import { SHORT_PART } from '../../../base/is-part.ts';
import { unreachable } from '../../../base/unreachable.ts';
import { toCondition } from '../../operators/coercions.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../../operators/table.ts';
import { dispatch } from '../../plan/dispatch.ts';
import { toNumberOrNaN } from '../../plan/numbers.ts';
import type { Apply, LogicalChain, OneOf, Plan, Predicate, Read } from '../../plan/plan.ts';
import { BOOLEAN, CONDITION, isSubset, NUMBER, type TypeSet } from '../../types.ts';
import type { Value } from '../../value.ts';
import { PropertyLocals } from './property-locals.ts';

/** JavaScript that throws if the record may inherit properties, and is true otherwise. */
const REQUIRE_OWN = '(sure || (sure = isSure(p, w)))';

/** Up to this many comparisons are faster than a lookup in a set. */
const MAX_LINEAR_COMPARISONS = 6;

/**
 * Writes a plan as JavaScript. Constants, names and everything else from the source are arguments, so the code depends
 * only on the shape of the plan.
 *
 * The check for inherited properties runs as late as possible: `emitTruth` and `emitNumber` may use an inherited value,
 * as long as that can only turn false into true, or NaN into a number. A caller that relies on the opposite must add
 * {@link REQUIRE_OWN}.
 */
export class Emitter {
  /** The values of `c0`, `c1` and so on in the code. */
  readonly constants: unknown[] = [];
  readonly locals = new PropertyLocals();
  /** The number of variables `t0`, `t1` and so on in the code. */
  temporaryCount = 0;

  constructor(private readonly source: string) {}

  /** Emits the value. It never depends on an inherited property. */
  emitValue(plan: Plan): string {
    switch (plan.kind) {
      case 'constant':
        return this.addConstant(plan.value);
      case 'read':
        return this.emitOwnValue(plan);
      case 'time':
        return 'n';
      case 'apply':
        return this.emitDispatch(plan);
      case 'between': {
        const number = this.addTemporary();
        const range = `${number} >= ${this.addConstant(plan.low)} && ${number} <= ${this.addConstant(plan.high)}`;
        return `(${REQUIRE_OWN}, (${number} = ${this.emitNumber(plan.operand)}) === ${number} ? ${range} : undefined)`;
      }
      case 'oneOf':
      case 'chain':
        return this.emitOwnTruth(plan);
      default:
        return unreachable(plan);
    }
  }

  /** Emits the value if it is a number, else NaN. Zero may be negative. */
  emitNumber(plan: Plan): string {
    if (plan.kind === 'read') {
      const { reading, variable } = this.locals.read(plan);
      return `(typeof ${reading} === "number" ? nanIfNotFinite(${variable}) : NaN)`;
    }
    if (plan.kind === 'constant') return this.addConstant(toNumberOrNaN(plan.value));
    if (plan.kind === 'apply') {
      const code =
        plan.row === FUNCTIONS.number
          ? `castToNumber(${this.emitRawValue(plan.operands[0] as Plan)})`
          : this.emitKernel(plan, NUMBER);
      if (code !== undefined) return code;
    }
    return `toNumberOrNaN(${this.emitValue(plan)})`;
  }

  /** Emits whether the value is true. */
  emitTruth(plan: Plan): string {
    switch (plan.kind) {
      case 'read':
        return `(${this.locals.read(plan).reading} === true)`;
      case 'between':
        return this.emitBetween(plan.operand, plan.low, plan.high);
      case 'oneOf':
        return plan.negated ? `!${requireOwn(this.emitOneOf(plan))}` : this.emitOneOf(plan);
      case 'chain':
        return this.emitChain(plan);
      case 'constant':
      case 'time':
        return `(${this.emitValue(plan)} === true)`;
      case 'apply':
        return this.emitKernel(plan, BOOLEAN) ?? this.emitSpecialCase(plan) ?? `(${this.emitDispatch(plan)} === true)`;
      default:
        return unreachable(plan);
    }
  }

  /** Emits a boolean for an operand of `and` or `or`, or for a filter. */
  emitCondition({ plan, operator, span }: Predicate): string {
    if (isSubset(plan.types, CONDITION)) return this.emitTruth(plan);
    const { source } = this;
    const convert = this.addConstant((value: Value) => toCondition(value, operator, span, source));
    return `${convert}(${this.emitValue(plan)})`;
  }

  private emitOwnTruth(plan: Plan): string {
    return requireOwn(this.emitTruth(plan));
  }

  private emitBetween(operand: Plan, low: number, high: number): string {
    const bounds = [this.addConstant(low), this.addConstant(high)];
    const emitRange = (variable: string) => `${variable} >= ${bounds[0]} && ${variable} <= ${bounds[1]}`;
    if (operand.kind === 'read') {
      const { reading, variable } = this.locals.read(operand);
      return `(typeof ${reading} === "number" && ${emitRange(variable)})`;
    }
    const number = this.addTemporary();
    return `((${number} = ${this.emitNumber(operand)}) >= ${bounds[0]} && ${number} <= ${bounds[1]})`;
  }

  private emitOneOf({ operand, values }: OneOf): string {
    const numbers = values.every((value) => typeof value === 'number');
    const plain = operand.kind === 'read' && !values.includes(undefined);
    const emitOperand = () => (numbers ? this.emitNumber(operand) : this.emitValue(operand));
    const value = plain ? this.locals.read(operand).reading : emitOperand();
    if (values.length > MAX_LINEAR_COMPARISONS) return `${this.addConstant(new Set(values))}.has(${value})`;
    if (values.length === 1) return `(${value} === ${this.addConstant(values[0])})`;
    const one = this.addTemporary();
    const tests = values.map((constant) => `${one} === ${this.addConstant(constant)}`);
    return `(${one} = ${value}, ${tests.join(' || ') || 'false'})`;
  }

  private emitChain({ decidedBy, operands, strictOperands }: LogicalChain): string {
    const operator = decidedBy ? ' || ' : ' && ';
    const strictTests: string[] = [];
    const conditions: string[] = [];
    let endBranch: (() => void) | undefined;
    operands.forEach((operand, index) => {
      const condition = this.emitCondition(operand);
      if (index >= strictOperands - 1) endBranch ??= this.locals.startBranch();
      if (strictOperands < 2 || index >= strictOperands) {
        conditions.push(condition);
      } else {
        const variable = this.addTemporary();
        strictTests.push(`${variable} = ${condition}`);
        conditions.push(variable);
      }
    });
    endBranch?.();
    return `(${[...strictTests, conditions.join(operator)].join(', ')})`;
  }

  /** Emits the kernel of the only possible overload, if it has one and can return the type. */
  private emitKernel({ overloads, operands }: Apply, type: TypeSet): string | undefined {
    const [only, more] = overloads;
    if (only?.kernel === undefined || more !== undefined || (only.result & type) === 0) return undefined;
    return `(${only.kernel(...operands.map((operand) => this.emitNumber(operand)))})`;
  }

  private emitSpecialCase({ row, operands }: Apply): string | undefined {
    const [first, second] = operands as [Plan, Plan];
    if (row === PREFIX.not && isSubset(first.types, CONDITION)) return `!${this.emitOwnTruth(first)}`;
    if (row === FUNCTIONS.boolean) return `castToTruth(${this.emitRawValue(first)})`;
    if (row !== BINARY.in || first.kind !== 'constant' || second.kind !== 'read') return undefined;
    if (typeof first.value !== 'string' || first.value.length > SHORT_PART) return undefined;
    const { reading, variable } = this.locals.read(second);
    const part = this.addConstant(first.value);
    const isFound = `${variable}.includes(${part})`;
    return `(typeof ${reading} === "string" ? ${isFound} : contains(readValue(${variable}), ${part}))`;
  }

  private emitDispatch({ overloads, operands }: Apply): string {
    const values = operands.map((operand) => this.emitValue(operand));
    return `${this.addConstant(dispatch(overloads))}(${values.join(', ')})`;
  }

  /** Emits the value. A property may also hold a value that the language does not have, such as a function. */
  private emitRawValue(plan: Plan): string {
    return plan.kind === 'read' ? this.locals.read(plan).reading : this.emitValue(plan);
  }

  private emitOwnValue(read: Read): string {
    const { reading, variable } = this.locals.read(read);
    return `(${reading} === undefined ? undefined : (${REQUIRE_OWN}, readValue(${variable})))`;
  }

  private addConstant(value: unknown): string {
    return `c${this.constants.push(value) - 1}`;
  }

  private addTemporary(): string {
    return `t${this.temporaryCount++}`;
  }
}

/** Emits a condition that is true only if it does not depend on inherited properties. */
function requireOwn(condition: string): string {
  return `(${condition} && ${REQUIRE_OWN})`;
}
