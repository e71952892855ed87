import { FilterSet } from '../../src/api/filter-set.ts';
import { compileWhere } from '../../src/api/index.ts';
import { loadPeer } from '../peers/load-peer.ts';
import type { CONTESTANT_NAMES } from './results.ts';
import { type BenchEvent, type Clause, type Conjunction, writeFilter } from './workload.ts';

/** Returns the indexes of the filters that match an event. */
type Match = (event: BenchEvent) => readonly number[] | Promise<readonly number[]>;

/** A way to find the filters that match an event. */
export interface Contestant {
  readonly name: (typeof CONTESTANT_NAMES)[number];
  /** It is left out with more filters than this, which would take hours. */
  readonly maxFilters: number;
  prepare(filters: readonly Conjunction[]): Match | Promise<Match>;
}

/** All that are compared, the reference first. */
export const CONTESTANTS: readonly Contestant[] = [
  {
    name: 'loop over compileWhere',
    maxFilters: 100_000,
    prepare: (filters) => loop(filters.map((filter) => compileWhere(writeFilter(filter)))),
  },
  {
    name: 'FilterSet',
    maxFilters: Number.POSITIVE_INFINITY,
    prepare(filters) {
      const set = createSet(filters);
      return (event) => set.match(event).ids;
    },
  },
  { name: 'index by hand', maxFilters: Number.POSITIVE_INFINITY, prepare: indexByHand },
  {
    name: 'loop over sift',
    maxFilters: 100_000,
    async prepare(filters) {
      const { default: sift } = await loadPeer<{
        default: { default: (query: object) => (event: BenchEvent) => boolean };
      }>('sift');
      return loop(filters.map((filter) => sift.default({ $and: filter.map(toMongo) })));
    },
  },
  { name: 'json-rules-engine', maxFilters: 10_000, prepare: prepareRules },
];

/** Creates a filter set. The id of a filter is its index. */
export function createSet(filters: readonly Conjunction[]): FilterSet<number> {
  const set = new FilterSet<number>();
  for (const [id, filter] of filters.entries()) set.add(id, writeFilter(filter));
  return set;
}

function loop(tests: readonly ((event: BenchEvent) => boolean)[]): Match {
  return (event) => {
    const found: number[] = [];
    for (let index = 0; index < tests.length; index++) if (tests[index]?.(event)) found.push(index);
    return found;
  };
}

function toMongo({ kind, name, value }: Clause): object {
  switch (kind) {
    case 'equals':
      return { [name]: value };
    case 'differs':
      return { [name]: { $ne: value } };
    case 'exceeds':
      return { [name]: { $gt: value } };
    case 'contains':
      return { [name]: { $regex: String(value) } };
  }
}

/** The index that one would write for just these filters: a list for each value of a property, and one for the rest. */
function indexByHand(filters: readonly Conjunction[]): Match {
  const byValue = new Map<string, Map<string | number, number[]>>();
  const others: number[] = [];
  for (const [index, filter] of filters.entries()) {
    const first = filter.find(({ kind }) => kind === 'equals');
    if (first === undefined) {
      others.push(index);
      continue;
    }
    const values = byValue.get(first.name) ?? new Map<string | number, number[]>();
    byValue.set(first.name, values);
    values.set(first.value, [...(values.get(first.value) ?? []), index]);
  }
  const holds = (event: BenchEvent) => (index: number) =>
    filters[index]?.every((clause) => test(clause, event)) ?? false;
  return (event) => {
    const found = others.filter(holds(event));
    for (const name of Object.keys(event)) {
      const candidates = byValue.get(name)?.get(event[name] as string | number) ?? [];
      for (const index of candidates) if (holds(event)(index)) found.push(index);
    }
    return found;
  };
}

function test({ kind, name, value }: Clause, event: BenchEvent): boolean {
  const own = event[name];
  switch (kind) {
    case 'equals':
      return own === value;
    case 'differs':
      return own !== value;
    case 'exceeds':
      return typeof own === 'number' && own > Number(value);
    case 'contains':
      return typeof own === 'string' && own.includes(String(value));
  }
}

interface RulesEngine {
  addOperator(name: string, test: (own: unknown, value: unknown) => boolean): void;
  addRule(rule: object): void;
  run(facts: BenchEvent): Promise<{ readonly events: readonly { readonly params: { readonly index: number } }[] }>;
}

async function prepareRules(filters: readonly Conjunction[]): Promise<Match> {
  const { Engine } = await loadPeer<{ Engine: new (rules: object[], options: object) => RulesEngine }>(
    'json-rules-engine',
  );
  const engine = new Engine([], { allowUndefinedFacts: true });
  for (const kind of ['equals', 'differs', 'exceeds', 'contains'] as const)
    engine.addOperator(kind, (own, value) =>
      test({ kind, name: 'own', value: value as string }, { own: own as string }),
    );
  for (const [index, filter] of filters.entries()) {
    const all = filter.map(({ kind, name, value }) => ({ fact: name, operator: kind, value }));
    engine.addRule({ conditions: { all }, event: { type: 'match', params: { index } } });
  }
  return async (event) => (await engine.run(event)).events.map(({ params }) => params.index);
}
