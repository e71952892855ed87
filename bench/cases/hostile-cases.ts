import type { FilterTemplate } from '../dialect.ts';
import { generateSparseEvents } from '../events/sparse-events.ts';
import type { Case } from './case.ts';

const EVENTS = 100;
const PROPERTIES = 5_000;
/** Each level is a parenthesis and an operator, so 120 of them are near the limit of 256. */
const NESTED = 120;

/** Makes a chain of `or` with a different property in each clause. */
export function makeOrChain(clauses: number): Case {
  const names = Array.from({ length: clauses }, (_, index) => `p${index}`);
  return {
    name: `or of ${clauses.toLocaleString('en')}`,
    filter: (dialect) => dialect.or(names.map((name) => dialect.equals(name, 7))),
    byHand: (properties) => names.some((name) => properties[name] === 7),
    byHandOwn: (properties) => names.some((name) => Object.hasOwn(properties, name) && properties[name] === 7),
    events: () => generateSparseEvents(EVENTS, PROPERTIES),
  };
}

/** Makes alternating `and` and `or`, each nested in the one before. */
function makeNested(level: number): FilterTemplate {
  return (dialect) => {
    const clause = dialect.equals(`p${level}`, level % 10);
    if (level === NESTED) return clause;
    const parts = [clause, makeNested(level + 1)(dialect)];
    return level % 2 === 0 ? dialect.or(parts) : dialect.and(parts);
  };
}

function evaluateNested(read: (name: string) => unknown): boolean {
  for (let level = 0; level < NESTED; level++) {
    const holds = read(`p${level}`) === level % 10;
    if (holds === (level % 2 === 0)) return holds;
  }
  return read(`p${NESTED}`) === NESTED % 10;
}

/** Filters that break engines which were not built for them. */
export const HOSTILE_CASES: readonly Case[] = [
  makeOrChain(5_000),
  {
    name: `${NESTED} levels of and, or`,
    filter: makeNested(0),
    byHand: (properties) => evaluateNested((name) => properties[name]),
    byHandOwn: (properties) =>
      evaluateNested((name) => (Object.hasOwn(properties, name) ? properties[name] : undefined)),
    events: () => generateSparseEvents(EVENTS, NESTED),
  },
];
