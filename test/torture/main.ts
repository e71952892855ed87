import { inspect, parseArgs } from 'node:util';
import { LOSSES } from './losses.ts';
import { Tally } from './tally.ts';
import { DEFAULTS, reasonToSkip, SCENARIOS, torture } from './torture.ts';

// Kills servers, databases and commands until a limit is reached: see `USAGE`. Each round increases the seed by one.

const USAGE = `npm run torture -- [options]

  --minutes <number>   start no round after this time (default: no limit)
  --kills <number>     start no round after this many kills and power losses (default: no limit)
  --seed <number>      seed of the first round (default: from the clock)
  --only <names>       scenarios of a round, separated by commas (default: all that this machine supports)
                       ${SCENARIOS.join(', ')}
  --losses <names>     kinds of power loss, separated by commas (default: all)
                       ${LOSSES.join(', ')}

Runs the server, its database process and \`onwhere import\` of the build. Full disks need the permission to
mount one, and power losses need strace. The seed determines the requests and the moments of the kills, but not
how far a server gets by then.`;

const PROGRESS_SECONDS = 30;

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: 'Infinity' },
      kills: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      only: { type: 'string', default: DEFAULTS.scenarios.join() },
      losses: { type: 'string', default: DEFAULTS.losses.join() },
    },
  });
  const [minutes = 0, kills = 0, seed = 0] = (['minutes', 'kills', 'seed'] as const).map((name) => {
    const number = Number(values[name]);
    if (!(number >= 0)) throw new Error(`--${name} takes a number of at least 0.`);
    return number;
  });
  return {
    minutes,
    kills,
    seed,
    scenarios: readNames(values.only, SCENARIOS),
    losses: readNames(values.losses, LOSSES),
  };
}

function readNames<Name extends string>(text: string, names: readonly Name[]): Name[] {
  const unknown = text.split(',').find((name) => !names.includes(name as Name));
  if (unknown !== undefined) throw new Error(`Unknown name ${unknown}. Choose from: ${names.join(', ')}.`);
  return text.split(',') as Name[];
}

async function main(): Promise<number> {
  const { minutes, kills, seed: first, scenarios: chosen, losses } = readOptions();
  const scenarios = chosen.filter((scenario) => {
    const reason = reasonToSkip(scenario);
    if (reason !== undefined) console.log(`Skipped: ${scenario} (${reason}).`);
    return reason === undefined;
  });
  if (scenarios.length === 0) return 2;
  const tally = new Tally();
  const start = performance.now();
  let [seed, reported] = [first, 0];
  const report = () => {
    console.log(`${tally.summary()}; seed ${seed}`);
    const failures = tally.failures.slice(reported);
    reported = tally.failures.length;
    for (const failure of failures) console.log(`  ${failure}`);
    if (failures.length > 0) console.log(`  reproduce: ${commandFor(seed, scenarios, losses)}`);
  };
  setInterval(report, PROGRESS_SECONDS * 1000);
  for (; performance.now() - start < minutes * 60_000 && tally.killed < kills; seed++) {
    const error = await torture(seed, { ...DEFAULTS, scenarios, losses }, tally).catch((error) => error);
    if (error !== undefined) tally.expect(false, inspect(error));
    report();
    if (error !== undefined) break;
  }
  return tally.failures.length === 0 ? 0 : 1;
}

function commandFor(seed: number, scenarios: readonly string[], losses: readonly string[]): string {
  return `npm run torture -- --seed ${seed} --kills 1 --only ${scenarios.join()} --losses ${losses.join()}`;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exit(2);
}
