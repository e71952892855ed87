import { Inexpressible } from '../dialect.ts';
import { counter } from './counter.ts';
import { eventsFor } from './events-for.ts';
import { FreshTexts } from './fresh-texts.ts';
import { Pace } from './pace.ts';
import type { Task } from './task.ts';

/** Nanoseconds per event of a text never seen before that is compiled and run once over 1,000 or 10,000 events. */
export const adHoc: Task = async (engine, asked) => {
  if (engine.over === 'sets') throw new Inexpressible('It takes in its events before');
  const compileText = await engine.load(asked);
  const texts = new FreshTexts(engine, asked.question);
  const events = eventsFor(engine, asked);
  const paceOver = (count: number) => {
    const some = events.slice(0, count);
    return Pace.of({
      prepare: (runs) => texts.prepare(runs),
      run: () => counter(compileText(texts.take()), engine.async === true)(some),
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
