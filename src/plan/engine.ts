import type { Checked } from '../check/check.ts';
import type { Properties, Value } from '../language/value.ts';

/** An expression as a function of a record and its user; `now` in Unix seconds. */
export type Closure<Answer = Value> = (properties: Properties, user: Properties | undefined, now: number) => Answer;

/** Makes functions of checked expressions; both throw {@link ExpressionTypeError} exactly where the interpreter does. */
export interface Engine {
  /** The expression as a function that answers its value. */
  toClosure(checked: Checked): Closure;
  /** The expression as a filter: judged as an operand of `and` (language, section 5). */
  toCondition(checked: Checked): Closure<boolean>;
}
