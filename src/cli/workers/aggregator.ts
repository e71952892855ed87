import { type Compiled, compileNumber, compileOn } from '../../api/expressions.ts';
import type { EventRecord, MissingField } from '../../data/event-record.ts';
import { Segmentation } from '../../data/segmentation.ts';
import { Tally } from '../../data/tally.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { CensusCollector } from './census-collector.ts';
import { DiffCounter } from './diff-counter.ts';
import type { Job, JobKind, JobParts } from './job.ts';
import { MatchCounter } from './match-counter.ts';

/** Folds records into the partial result of a job. */
export interface Aggregator<Part> {
  /** The expressions of the job besides its filter. */
  readonly expressions?: readonly Compiled<unknown>[];
  /** Whether it reads the name of the event as a property. */
  readonly readsEventName?: boolean;
  /** The properties it reads besides those of the expressions. Undefined means all. */
  readonly names?: readonly string[];
  /** Adds a record, or returns the field that it lacks. */
  add(record: EventRecord): MissingField | undefined;
  /** Returns and resets the partial result: plain data that can be sent to another thread. */
  take(): Part;
}

const USER_NAMES = ['distinct_id', '$distinct_id'];

type Makers = { readonly [K in JobKind]: (job: Job<K>) => Aggregator<JobParts[K]> };

const MAKERS: Makers = {
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

  describe({ countsValues }) {
    const census = new CensusCollector(countsValues);
    return {
      add(record) {
        census.add(record);
        return undefined;
      },
      take: () => census.take(),
    };
  },

  diff({ now, timeZone = 'UTC', ...sources }) {
    const counter = new DiffCounter(sources, now, timeZone);
    return {
      expressions: counter.expressions,
      readsEventName: counter.readsEventName,
      names: USER_NAMES,
      add: (record) => counter.add(record),
      take: () => counter.take(),
    };
  },

  match: ({ filters, lists, now, timeZone = 'UTC' }) => new MatchCounter(filters, lists, { now, timeZone }),
};

/** Creates the aggregator of a job. Throws if an expression does not compile. */
export function createAggregator<K extends JobKind>(job: Job<K>): Aggregator<JobParts[K]> {
  const make: Makers[K] = MAKERS[job.kind as K];
  return make(job);
}
