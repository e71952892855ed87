import { Inexpressible } from '../dialect.ts';
import { createCounter } from './counter.ts';
import { loadEvents } from './events-for.ts';
import { FreshSources } from './fresh-sources.ts';
import { Pace } from './pace.ts';
import type { Task } from './task.ts';

/** Measures nanoseconds per event of a new source that is compiled and run once over 1,000 or 10,000 events. */
export const adHoc: Task = async (engine, testCase) => {
  if (engine.over === 'sets') throw new Inexpressible('It loads its events before.');
  const compileSource = await engine.load(testCase);
  const sources = new FreshSources(engine, testCase.filter);
  const events = loadEvents(engine, testCase);
  const paceOver = (count: number) => {
    const some = events.slice(0, count);
    return Pace.of({
      prepare: (runs) => sources.prepare(runs),
      run: () => createCounter(compileSource(sources.take()), engine.async === true)(some),
    });
  };
  const [over1k, over10k] = [await paceOver(1_000), await paceOver(10_000)];
  return {
    round: async () => ({
      '1k': ((await over1k.round()) * 1e6) / 1_000,
      '10k': ((await over10k.round()) * 1e6) / 10_000,
    }),
  };
};
