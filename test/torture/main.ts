import { inspect, parseArgs } from 'node:util';
import { LOSSES } from './losses.ts';
import { Tally } from './tally.ts';
import { DEFAULTS, ORDEALS, obstacleTo, torture } from './torture.ts';

// Kills servers, databases and commands without end, or for some minutes: see `USAGE`. The seed of a round is one more than that of the last.

const USAGE = `npm run torture -- [options]

  --minutes <number>   begin no round after this time (default: never)
  --kills <number>     begin no round after so many kills and losses of power (default: never)
  --seed <number>      seed of the first round (default: the time)
  --only <names>       what is done in a round, separated by commas (default: all that is possible)
                       ${ORDEALS.join(', ')}
  --losses <names>     what a loss of power takes, separated by commas (default: each of them)
                       ${LOSSES.join(', ')}

The server, its database process and \`onwhere import\` are those of the build. Full disks take the right to
mount one, losses of power take strace. What is sent and when to kill is drawn from the seed; how far a server comes by then is not.`;

const PROGRESS_SECONDS = 30;

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: 'Infinity' },
      kills: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      only: { type: 'string', default: DEFAULTS.ordeals.join() },
      losses: { type: 'string', default: DEFAULTS.losses.join() },
    },
  });
  const [minutes = 0, kills = 0, seed = 0] = (['minutes', 'kills', 'seed'] as const).map((name) => {
    const number = Number(values[name]);
    if (!(number >= 0)) throw new Error(`--${name} needs a number`);
    return number;
  });
  return { minutes, kills, seed, ordeals: chosen(values.only, ORDEALS), losses: chosen(values.losses, LOSSES) };
}

function chosen<Name extends string>(text: string, names: readonly Name[]): Name[] {
  const unknown = text.split(',').find((name) => !names.includes(name as Name));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}: write ${names.join(', ')}`);
  return text.split(',') as Name[];
}

async function main(): Promise<number> {
  const { minutes, kills, seed: first, ordeals: wanted, losses } = readOptions();
  const ordeals = wanted.filter((ordeal) => {
    const obstacle = obstacleTo(ordeal);
    if (obstacle !== undefined) console.log(`Skipped: ${ordeal}, since ${obstacle}.`);
    return obstacle === undefined;
  });
  if (ordeals.length === 0) return 2;
  const tally = new Tally();
  const start = performance.now();
  let [seed, told] = [first, 0];
  const say = () => {
    console.log(`${tally.summary()}; seed ${seed}`);
    const failures = tally.failures.slice(told);
    told = tally.failures.length;
    for (const failure of failures) console.log(`  ${failure}`);
    if (failures.length > 0) console.log(`  reproduce: ${lineFor(seed, ordeals, losses)}`);
  };
  setInterval(say, PROGRESS_SECONDS * 1000);
  for (; performance.now() - start < minutes * 60_000 && tally.killed < kills; seed++) {
    const error = await torture(seed, { ...DEFAULTS, ordeals, losses }, tally).catch((error) => error);
    if (error !== undefined) tally.expect(false, inspect(error));
    say();
    if (error !== undefined) break;
  }
  return tally.failures.length === 0 ? 0 : 1;
}

function lineFor(seed: number, ordeals: readonly string[], losses: readonly string[]): string {
  return `npm run torture -- --seed ${seed} --kills 1 --only ${ordeals.join()} --losses ${losses.join()}`;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exit(2);
}
