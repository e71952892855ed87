import type { Properties } from '../../src/lang/value.ts';
import type { Filter, RecordEngine, SetEngine } from '../engines/engine.ts';
import { createCounter } from './counter.ts';
import { loadEvents } from './events-for.ts';
import { Pace } from './pace.ts';
import type { Ready, Task } from './task.ts';

const HOT = 1_000;
/** The maximum time in milliseconds of a pass over all events. Slower engines get fewer events. */
const MAX_PASS_MS = 100;

/** Measures nanoseconds per event: `hot` over the first 1,000, repeated, and `whole` over all events. */
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
    const result = filter(properties);
    if ((async ? await result : result) === true) rows.push(row);
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

/** The time includes planning, because every run plans the source again. */
async function measureSet(plan: Awaited<ReturnType<SetEngine['load']>>, text: string, events: number): Promise<Ready> {
  const pace = await Pace.of({ run: async () => (await plan(text)).count() });
  return {
    rows: Uint32Array.from(await (await plan(text)).rows()),
    round: async () => ({ whole: ((await pace.round()) * 1e6) / events }),
  };
}
