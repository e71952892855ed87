import { contains } from '../../operators/functions.ts';
import type { Closure } from '../../plan/engine.ts';
import { toNumberOrNaN } from '../../plan/numbers.ts';
import type { Plan, Predicate, Read } from '../../plan/plan.ts';
import type { Value } from '../../value.ts';
import { ClosureCompiler } from '../closures/closures.ts';
import type { PropertyReaders } from '../closures/property-readers.ts';

/** Evaluates a part of an expression for a row: its position in the block, or an entry of a dictionary. */
type RowFunction<Result = Value> = (row: number) => Result;

/** Compiles plans to closures that read columns instead of records, where no loop over columns is possible. */
export class RowCompiler {
  private readonly compiler: ClosureCompiler;
  /** The row that the closures read. */
  private row = 0;

  /** @param read Returns the function that reads a property of a row. */
  constructor(
    source: string,
    /** Unix seconds. */
    private readonly now: number,
    read: (property: Read) => RowFunction,
  ) {
    this.compiler = new ClosureCompiler(source, (property, make) => {
      const readRow = read(property);
      return make(createReaders(() => readRow(this.row)));
    });
  }

  /** Compiles the value of a plan. */
  compileValue(plan: Plan): RowFunction {
    return this.bind(this.compiler.compileValue(plan));
  }

  /** Compiles whether the value of a plan is true. */
  compileTruth(plan: Plan): RowFunction<boolean> {
    return this.bind(this.compiler.compileTruth(plan));
  }

  /**
   * Compiles a boolean for an operand of `and` or `or`, or for a filter. The function throws an
   * {@link ExpressionTypeError} for a row where the value is neither a boolean nor undefined.
   */
  compileCondition(predicate: Predicate): RowFunction<boolean> {
    return this.bind(this.compiler.compileCondition(predicate));
  }

  private bind<Result>(closure: Closure<Result>): RowFunction<Result> {
    const { now } = this;
    return (row) => {
      this.row = row;
      return closure(NO_PROPERTIES, undefined, now);
    };
  }
}

const NO_PROPERTIES = Object.freeze({});

function createReaders(read: () => Value): PropertyReaders {
  return {
    readValue: () => read,
    readNumber: () => () => toNumberOrNaN(read()),
    equals: (_name, constant) => () => read() === constant,
    isOneOf: (_name, constants) => () => constants.has(read()),
    contains: (_name, part) => () => contains(read(), part),
    isBetween: (_name, low, high) => () => {
      const number = toNumberOrNaN(read());
      return number >= low && number <= high;
    },
  };
}
