import { Inexpressible } from '../dialect.ts';
import { FreshSources } from './fresh-sources.ts';
import { Pace } from './pace.ts';
import type { Task } from './task.ts';

/** Microseconds to parse, check and compile a text never seen before. */
export const compile: Task = async (engine, testCase) => {
  if (engine.over === 'sets') throw new Inexpressible('It plans in every run');
  const compileText = await engine.load(testCase);
  const texts = new FreshSources(engine, testCase.filter);
  const pace = await Pace.of({ prepare: (runs) => texts.prepare(runs), run: () => compileText(texts.take()) });
  return { round: async () => ({ compile: (await pace.round()) * 1e3 }) };
};
