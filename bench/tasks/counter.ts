import type { Properties } from '../../src/lang/value.ts';
import type { Filter } from '../engines/engine.ts';

/**
 * Returns the timed loop, which counts the events that a filter selects. Each process times only one filter, so V8 may
 * inline it.
 */
export function createCounter(
  filter: Filter,
  isAsync: boolean,
): (events: readonly Properties[]) => number | Promise<number> {
  if (isAsync) {
    return async (events) => {
      let selected = 0;
      for (const properties of events) if ((await filter(properties)) === true) selected++;
      return selected;
    };
  }
  return (events) => {
    let selected = 0;
    for (let index = 0; index < events.length; index++) {
      if (filter(events[index] as Properties) === true) selected++;
    }
    return selected;
  };
}
