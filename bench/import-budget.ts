import { spawnSync } from 'node:child_process';
import BUDGETS from '../test/budgets.json' with { type: 'json' };

/** A busy machine disturbs most rounds, so the minimum counts, and more rounds follow while it is too long. */
const [ROUNDS, MAX_ROUNDS] = [20, 300];

/** Returns the seconds of processor time of a Node.js process that imports an entry of the package, or nothing. */
function measureImport(entry?: string): number {
  const code = entry === undefined ? '' : `import '${entry}';`;
  const script = `TIMEFORMAT='%3U %3S'; time node --input-type=module --eval "${code}"`;
  const { stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  const [user = '', system = ''] = stderr.trim().split(' ');
  return Number(user) + Number(system);
}

/** Compares the processor time of a first import with that of bare Node.js in the same run, and with the budget. */
function main(): void {
  const entries = Object.entries(BUDGETS.importProcessorRatio);
  const times = new Map<string | undefined, number>();
  const ratioOf = (name: string) => Number(times.get(name)) / Number(times.get(undefined));
  const isWithin = () => entries.every(([name, maximum]) => ratioOf(name) <= maximum);
  for (let round = 0; round < ROUNDS || (round < MAX_ROUNDS && !isWithin()); round++) {
    for (const entry of [undefined, ...entries.map(([name]) => name)]) {
      times.set(entry, Math.min(times.get(entry) ?? Number.POSITIVE_INFINITY, measureImport(entry)));
    }
  }
  for (const [name, maximum] of entries) {
    console.log(
      `import '${name}' takes ${ratioOf(name).toFixed(2)} times as long as bare Node.js, of at most ${maximum}`,
    );
  }
  if (!isWithin()) process.exitCode = 1;
}

main();
