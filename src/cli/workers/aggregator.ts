import { type Compiled, compileNumber, compileOn } from '../../api/expressions.ts';
import type { EventRecord, MissingField } from '../../data/event-record.ts';
import { Segmentation } from '../../data/segmentation.ts';
import { Tally } from '../../data/tally.ts';
import type { Job, JobKind, JobParts } from './job.ts';
import { PropertyCensus } from './property-census.ts';

/** Makes of records, one after the other, what a task asks for. */
export interface Aggregator<Part> {
  /** The task's own expression, where it has one. */
  readonly on?: Compiled<unknown>;
  /** What it reads of a record apart from that expression; without this, everything. */
  readonly names?: readonly string[];
  /** Takes a record, or answers what it lacks. */
  add(record: EventRecord): MissingField | undefined;
  /** What was made since the last time, as plain data: it may be wanted in another thread. */
  take(): Part;
}

const USER_NAMES = ['distinct_id', '$distinct_id'];

type Makers = { readonly [K in JobKind]: (task: Job<K>) => Aggregator<JobParts[K]> };

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

  segment({ on, unique, unit, now }) {
    const namesOf = compileOn(on, { now });
    const segmentation = new Segmentation(unique, unit);
    return {
      on: namesOf,
      names: [...(unique ? USER_NAMES : []), ...(unit ? ['time'] : [])],
      add: (record) => segmentation.add(namesOf(record.properties, record.user), record),
      take: () => segmentation.take(),
    };
  },

  numbers({ on, now }) {
    const value = compileNumber(on, { now });
    let numbers: number[] = [];
    return {
      on: value,
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

  properties() {
    const census = new PropertyCensus();
    return {
      add(record) {
        census.add(record.properties);
        return undefined;
      },
      take: () => census.take(),
    };
  },
};

/** The gatherer for a task. Throws the errors of an expression that cannot be compiled. */
export function createAggregator<K extends JobKind>(task: Job<K>): Aggregator<JobParts[K]> {
  const make: Makers[K] = MAKERS[task.kind as K];
  return make(task);
}
