import { spawnSync } from 'node:child_process';
import BUDGETS from '../test/budgets.json' with { type: 'json' };

/** Enough for the least of them to be undisturbed on a busy machine. */
const ROUNDS = 20;

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
  for (let round = 0; round < ROUNDS; round++) {
    for (const entry of [undefined, ...entries.map(([name]) => name)]) {
      times.set(entry, Math.min(times.get(entry) ?? Number.POSITIVE_INFINITY, measureImport(entry)));
    }
  }
  for (const [name, maximum] of entries) {
    const ratio = Number(times.get(name)) / Number(times.get(undefined));
    console.log(`import '${name}' takes ${ratio.toFixed(2)} times as long as bare Node.js, of at most ${maximum}`);
    if (!(ratio <= maximum)) process.exitCode = 1;
  }
}

main();
