import { compileWhere } from '../src/api.ts';
import { interpret } from '../src/engines/interpret.ts';
import type { Properties } from '../src/language/value.ts';
import { shopEvents } from '../src/samples/shop.ts';
import { parse } from '../src/syntax/parse.ts';
import { CASES, type Case } from './cases.ts';

// Prints nanoseconds per event of every engine on every case, and the ratio to what is written by hand.

const EVENTS = 20_000;
const ROUNDS = 15;

const events = [...shopEvents(EVENTS, 1)].map((event) => JSON.parse(JSON.stringify(event.properties)) as Properties);

function engines({ filter, byHand }: Case): Record<string, (properties: Properties) => boolean> {
  const tree = parse(filter);
  return {
    'by hand': byHand,
    closures: compileWhere(filter),
    interpret: (properties) => interpret(tree, { properties, user: undefined, now: 0 }, filter) === true,
  };
}

function count(where: (properties: Properties) => boolean): number {
  let matching = 0;
  for (const properties of events) if (where(properties)) matching++;
  return matching;
}

/** The median of the rounds: others use the machine too. */
function nanoseconds(where: (properties: Properties) => boolean): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    count(where);
    return ((performance.now() - start) * 1e6) / EVENTS;
  });
  return times.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** Times mean nothing unless all answer alike, event by event. */
function assertAgreement(
  filter: string,
  runs: readonly (readonly [string, (properties: Properties) => boolean])[],
): void {
  for (const properties of events) {
    const answers = new Set(runs.map(([, where]) => where(properties)));
    if (answers.size > 1) throw new Error(`The engines disagree on ${filter} for ${JSON.stringify(properties)}`);
  }
}

for (const example of CASES) {
  const runs = Object.entries(engines(example));
  assertAgreement(example.filter, runs);
  const base = nanoseconds(example.byHand);
  console.log(`\n${example.filter}  (${count(example.byHand)} of ${EVENTS})`);
  for (const [name, where] of runs) {
    const time = nanoseconds(where);
    console.log(`  ${name.padEnd(10)} ${time.toFixed(1).padStart(8)} ns  ${(time / base).toFixed(1).padStart(6)} ×`);
  }
}
