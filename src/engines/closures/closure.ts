import type { Properties, Value } from '../../language/value.ts';

/** An expression as a function of a record and its user; `now` in Unix seconds. */
export type Closure<Answer = Value> = (properties: Properties, user: Properties | undefined, now: number) => Answer;
