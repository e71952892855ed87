import { toCondition } from '../../operators/coercions.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../../operators/table.ts';
import { dispatch } from '../../plan/dispatch.ts';
import { toNumberOrNaN } from '../../plan/numbers.ts';
import type { Apply, LogicalChain, OneOf, Plan, Predicate, Read } from '../../plan/plan.ts';
import { BOOLEAN, CONDITION, isSubset, NUMBER, STRING, type TypeSet } from '../../types.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { Value } from '../../value.ts';
import { PropertyLocals } from './property-locals.ts';

/** Throws for a record whose answers may not be its own. */
const SURE = '(sure || (sure = isSure(p, w)))';

/** As many comparisons are faster than a look into a set. */
const MAX_LINEAR_COMPARISONS = 6;

/**
 * Writes a plan as JavaScript. Constants, names and all else that comes from the source are arguments, so that the text
 * tells the shape of the plan and nothing more.
 *
 * Whether a record's properties are its own is asked as late as can be: {@link lowerTruth} and {@link number} may take an inherited value
 * for one, as long as that can only make true what is false, and a number of what is none. Who builds on the opposite is to be {@link SURE}.
 */
export class Emitter {
  /** What the text calls `c0`, `c1` and so on. */
  readonly constants: unknown[] = [];
  readonly slots = new PropertyLocals();
  /** How many variables `t0`, `t1` and so on it uses. */
  temporaries = 0;

  constructor(private readonly source: string) {}

  /** The answer as it is; sure. */
  value(plan: Plan): string {
    switch (plan.kind) {
      case 'constant':
        return this.constant(plan.value);
      case 'read':
        return this.own(plan);
      case 'time':
        return 'n';
      case 'apply':
        return this.general(plan);
      case 'between': {
        const number = this.temporary();
        const range = `${number} >= ${this.constant(plan.low)} && ${number} <= ${this.constant(plan.high)}`;
        return `(${SURE}, (${number} = ${this.number(plan.operand)}) === ${number} ? ${range} : undefined)`;
      }
      case 'oneOf':
      case 'chain':
        return this.sureTruth(plan);
      default:
        return unreachable(plan);
    }
  }

  /** The answer if it is a number, else NaN. Zero may be negative. */
  number(plan: Plan): string {
    if (plan.kind === 'read') {
      const { reading, variable } = this.slots.read(plan);
      return `(typeof ${reading} === "number" ? nanIfNotFinite(${variable}) : NaN)`;
    }
    if (plan.kind === 'constant') return this.constant(toNumberOrNaN(plan.value));
    if (plan.kind === 'apply') {
      const text =
        plan.row === FUNCTIONS.number
          ? `castToNumber(${this.raw(plan.operands[0] as Plan)})`
          : this.kernel(plan, NUMBER);
      if (text !== undefined) return text;
    }
    return `toNumberOrNaN(${this.value(plan)})`;
  }

  /** Whether the answer is true. */
  truth(plan: Plan): string {
    switch (plan.kind) {
      case 'read':
        return `(${this.slots.read(plan).reading} === true)`;
      case 'between':
        return this.between(plan.operand, plan.low, plan.high);
      case 'oneOf':
        return plan.negated ? `!${sure(this.isOneOf(plan))}` : this.isOneOf(plan);
      case 'chain':
        return this.chain(plan);
      case 'constant':
      case 'time':
        return `(${this.value(plan)} === true)`;
      case 'apply':
        return this.kernel(plan, BOOLEAN) ?? this.special(plan) ?? `(${this.general(plan)} === true)`;
      default:
        return unreachable(plan);
    }
  }

  /** The answer as an operand of `and` or `or`, or as a filter. */
  judged({ plan, operator, span }: Predicate): string {
    if (isSubset(plan.types, CONDITION)) return this.truth(plan);
    const { source } = this;
    const judge = this.constant((value: Value) => toCondition(value, operator, span, source));
    return `${judge}(${this.value(plan)})`;
  }

  private sureTruth(plan: Plan): string {
    return sure(this.truth(plan));
  }

  private between(operand: Plan, low: number, high: number): string {
    const bounds = [this.constant(low), this.constant(high)];
    const within = (variable: string) => `${variable} >= ${bounds[0]} && ${variable} <= ${bounds[1]}`;
    if (operand.kind === 'read') {
      const { reading, variable } = this.slots.read(operand);
      return `(typeof ${reading} === "number" && ${within(variable)})`;
    }
    const number = this.temporary();
    return `((${number} = ${this.number(operand)}) >= ${bounds[0]} && ${number} <= ${bounds[1]})`;
  }

  private isOneOf({ operand, values }: OneOf): string {
    const numbers = values.every((value) => typeof value === 'number');
    const plain = operand.kind === 'read' && !values.includes(undefined);
    const value = plain ? this.slots.read(operand).reading : numbers ? this.number(operand) : this.value(operand);
    if (values.length > MAX_LINEAR_COMPARISONS) return `${this.constant(new Set(values))}.has(${value})`;
    if (values.length === 1) return `(${value} === ${this.constant(values[0])})`;
    const one = this.temporary();
    const tests = values.map((constant) => `${one} === ${this.constant(constant)}`);
    return `(${one} = ${value}, ${tests.join(' || ') || 'false'})`;
  }

  private chain({ decidedBy, operands, strictOperands }: LogicalChain): string {
    const operator = decidedBy ? ' || ' : ' && ';
    const judging: string[] = [];
    const texts: string[] = [];
    let leave: (() => void) | undefined;
    operands.forEach((operand, index) => {
      const text = this.judged(operand);
      if (index >= strictOperands - 1) leave ??= this.slots.branch();
      if (strictOperands < 2 || index >= strictOperands) {
        texts.push(text);
      } else {
        const judged = this.temporary();
        judging.push(`${judged} = ${text}`);
        texts.push(judged);
      }
    });
    leave?.();
    return `(${[...judging, texts.join(operator)].join(', ')})`;
  }

  /** The one overload that the operands can meet, if it answers this type and has a kernel. */
  private kernel({ overloads, operands }: Apply, type: TypeSet): string | undefined {
    const [only, more] = overloads;
    if (only?.kernel === undefined || more !== undefined || (only.result & type) === 0) return undefined;
    return `(${only.kernel(...operands.map((operand) => this.number(operand)))})`;
  }

  private special({ row, operands }: Apply): string | undefined {
    const [first, second] = operands as [Plan, Plan];
    if (row === PREFIX.not && isSubset(first.types, CONDITION)) return `!${this.sureTruth(first)}`;
    if (row === FUNCTIONS.boolean) return `castToTruth(${this.raw(first)})`;
    if (row !== BINARY.in || first.kind !== 'constant' || first.types !== STRING || second.kind !== 'read')
      return undefined;
    const { reading, variable } = this.slots.read(second);
    const text = this.constant(first.value);
    return `(typeof ${reading} === "string" ? ${variable}.includes(${text}) : holdsText(readValue(${variable}), ${text}))`;
  }

  private general({ overloads, operands }: Apply): string {
    const values = operands.map((operand) => this.value(operand));
    return `${this.constant(dispatch(overloads))}(${values.join(', ')})`;
  }

  /** The answer, or what a property holds although it is no value. */
  private raw(plan: Plan): string {
    return plan.kind === 'read' ? this.slots.read(plan).reading : this.value(plan);
  }

  private own(read: Read): string {
    const { reading, variable } = this.slots.read(read);
    return `(${reading} === undefined ? undefined : (${SURE}, readValue(${variable})))`;
  }

  private constant(value: unknown): string {
    return `c${this.constants.push(value) - 1}`;
  }

  private temporary(): string {
    return `t${this.temporaries++}`;
  }
}

/** True of own properties. */
function sure(text: string): string {
  return `(${text} && ${SURE})`;
}
