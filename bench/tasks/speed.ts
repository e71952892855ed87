import type { Properties } from '../../src/lang/value.ts';
import type { Filter, RecordEngine, SetEngine } from '../engines/engine.ts';
import { createCounter } from './counter.ts';
import { loadEvents } from './events-for.ts';
import { Pace } from './pace.ts';
import type { Ready, Task } from './task.ts';

const HOT = 1_000;
/** Milliseconds that one pass over the whole set may take; what is slower gets fewer events. */
const MAX_PASS_MS = 100;

/** Nanoseconds per event: `hot` over the first 1,000 again and again, `whole` over all of them. */
export const speed: Task = async (engine, testCase) => {
  const text = engine.write(testCase.filter);
  if (engine.over === 'records')
    return measureRecords(engine, (await engine.load(testCase))(text), loadEvents(engine, testCase));
  const events = testCase.events();
  return measureSet(await engine.load(events, testCase), text, events.length);
};

async function measureRecords(
  { async = false }: RecordEngine,
  filter: Filter,
  events: readonly Properties[],
): Promise<Ready> {
  const start = performance.now();
  const rows: number[] = [];
  for (const [row, properties] of events.entries()) {
    const answer = filter(properties);
    if ((async ? await answer : answer) === true) rows.push(row);
  }
  const share = MAX_PASS_MS / Math.max(performance.now() - start, MAX_PASS_MS);
  const [hot, whole] = [events.slice(0, HOT), events.slice(0, Math.max(HOT, Math.ceil(events.length * share)))];
  const count = createCounter(filter, async);
  const hotPace = await Pace.of({ run: () => count(hot) });
  const wholePace = await Pace.of({ run: () => count(whole) });
  return {
    rows: Uint32Array.from(rows),
    round: async () => ({
      hot: ((await hotPace.round()) * 1e6) / hot.length,
      whole: ((await wholePace.round()) * 1e6) / whole.length,
    }),
  };
}

/** Planning is a part of it: the text is planned anew in every run. */
async function measureSet(plan: Awaited<ReturnType<SetEngine['load']>>, text: string, events: number): Promise<Ready> {
  const pace = await Pace.of({ run: async () => (await plan(text)).count() });
  return {
    rows: Uint32Array.from(await (await plan(text)).rows()),
    round: async () => ({ whole: ((await pace.round()) * 1e6) / events }),
  };
}
