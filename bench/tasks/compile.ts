import { Inexpressible } from '../dialect.ts';
import { FreshSources } from './fresh-sources.ts';
import { Pace } from './pace.ts';
import type { Task } from './task.ts';

/** Measures microseconds to parse, check and compile a new source. */
export const compile: Task = async (engine, testCase) => {
  if (engine.over === 'sets') throw new Inexpressible('It plans in every run.');
  const compileSource = await engine.load(testCase);
  const sources = new FreshSources(engine, testCase.filter);
  const pace = await Pace.of({ prepare: (runs) => sources.prepare(runs), run: () => compileSource(sources.take()) });
  return { round: async () => ({ compile: (await pace.round()) * 1e3 }) };
};
