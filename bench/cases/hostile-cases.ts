import type { Question } from '../dialect.ts';
import { sparseEvents } from '../events/sparse-events.ts';
import type { Case } from './case.ts';

const EVENTS = 100;
const PROPERTIES = 5_000;
/** Each level is a parenthesis and an operator, so that 120 come near the limit of 256. */
const NESTED = 120;

/** A chain of `or` over as many different properties. */
export function orChain(clauses: number): Case {
  const names = Array.from({ length: clauses }, (_, index) => `p${index}`);
  return {
    name: `or of ${clauses.toLocaleString('en')}`,
    question: (ask) => ask.or(names.map((name) => ask.equals(name, 7))),
    byHand: (properties) => names.some((name) => properties[name] === 7),
    byHandOwn: (properties) => names.some((name) => Object.hasOwn(properties, name) && properties[name] === 7),
    events: () => sparseEvents(EVENTS, PROPERTIES),
  };
}

/** `and` and `or` by turns, each within the last. */
function nested(level: number): Question {
  return (ask) => {
    const clause = ask.equals(`p${level}`, level % 10);
    if (level === NESTED) return clause;
    const parts = [clause, nested(level + 1)(ask)];
    return level % 2 === 0 ? ask.or(parts) : ask.and(parts);
  };
}

function nestedByHand(read: (name: string) => unknown): boolean {
  for (let level = 0; level < NESTED; level++) {
    const holds = read(`p${level}`) === level % 10;
    if (holds === (level % 2 === 0)) return holds;
  }
  return read(`p${NESTED}`) === NESTED % 10;
}

/** Filters that break what was not built for them. */
export const HOSTILE_CASES: readonly Case[] = [
  orChain(5_000),
  {
    name: `${NESTED} levels of and, or`,
    question: nested(0),
    byHand: (properties) => nestedByHand((name) => properties[name]),
    byHandOwn: (properties) => nestedByHand((name) => (Object.hasOwn(properties, name) ? properties[name] : undefined)),
    events: () => sparseEvents(EVENTS, NESTED),
  },
];
