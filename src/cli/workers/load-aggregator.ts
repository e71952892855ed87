import { compileNumber, compileOn } from '../../api/expressions.ts';
import { Segmentation } from '../../data/segmentation.ts';
import { Tally } from '../../data/tally.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { type MakeAggregator, USER_NAMES } from './aggregator.ts';
import type { JobKind } from './job.ts';

const MAKERS: { readonly [K in Exclude<JobKind, 'describe' | 'diff' | 'match'>]: MakeAggregator<K> } = {
  lines() {
    let lines = '';
    return {
      names: [],
      add({ text }) {
        lines += `${text()}\n`;
        return undefined;
      },
      take() {
        const taken = lines;
        lines = '';
        return taken;
      },
    };
  },

  count({ unique }) {
    const tally = new Tally(unique);
    return {
      names: unique ? USER_NAMES : [],
      add({ distinctId }) {
        if (unique && distinctId === undefined) return 'distinct_id';
        tally.add(distinctId);
        return undefined;
      },
      take: () => tally.take(),
    };
  },

  segment({ on, unique, unit, now, timeZone = 'UTC' }) {
    const namesOf = compileOn(on, { now, timeZone });
    const segmentation = new Segmentation(unique, unit, findTimeZone(timeZone));
    return {
      expressions: [namesOf],
      names: [...(unique ? USER_NAMES : []), ...(unit ? ['time'] : [])],
      add: (record) => segmentation.add(namesOf(record.properties, record.user), record),
      take: () => segmentation.take(),
    };
  },

  numbers({ on, now, timeZone = 'UTC' }) {
    const value = compileNumber(on, { now, timeZone });
    let numbers: number[] = [];
    return {
      expressions: [value],
      names: [],
      add({ properties, user }) {
        numbers.push(value(properties, user));
        return undefined;
      },
      take() {
        const taken = numbers;
        numbers = [];
        return taken;
      },
    };
  },
};

type Loaders = { readonly [K in JobKind]: () => MakeAggregator<K> | Promise<MakeAggregator<K>> };

const LOADERS: Loaders = {
  lines: () => MAKERS.lines,
  count: () => MAKERS.count,
  segment: () => MAKERS.segment,
  numbers: () => MAKERS.numbers,
  // These take more code than the others.
  describe: async () => (await import('./census-aggregator.ts')).createCensusAggregator,
  diff: async () => (await import('./diff-aggregator.ts')).createDiffAggregator,
  match: async () => (await import('./match-counter.ts')).createMatchAggregator,
};

/** Loads what creates the aggregators of a kind of job. */
export async function loadAggregator<K extends JobKind>(kind: K): Promise<MakeAggregator<K>> {
  const load: Loaders[K] = LOADERS[kind];
  return load();
}
