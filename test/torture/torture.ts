import { spawnSync } from 'node:child_process';
import { Random } from '../../src/data/random.ts';
import { HAS_CLICKHOUSE } from '../clickhouse/open-clickhouse.ts';
import { TestFolder } from '../end-to-end/server-process.ts';
import { SmallDisk } from '../end-to-end/small-disk.ts';
import { killOnFullDisk } from './full-disk.ts';
import { KillRounds } from './kill-round.ts';
import { LOSSES, type Loss } from './losses.ts';
import { Recording } from './power-loss.ts';
import type { Disturbance } from './server-pair.ts';
import type { Tally } from './tally.ts';
import { disturbServers } from './two-servers.ts';

/** The ways to torture a server. */
export const SCENARIOS = ['kills', 'disks', 'power', 'servers'] as const;
type Scenario = (typeof SCENARIOS)[number];

/** Faults of two servers, with weights. */
const DISTURBANCE_WEIGHTS: readonly (readonly [Disturbance, number])[] = [
  ['kill', 4],
  ['long stop', 4],
  ['short stop', 1],
  ['end', 1],
  ['kill standby', 1],
];

/** Shorter than the time of users, so that more happens. */
const TAKEOVER_MS = 3_000;

interface TortureOptions {
  readonly scenarios: readonly Scenario[];
  readonly losses: readonly Loss[];
  /**
   * The number of rounds, of servers killed in each round (`lives`), of kills on a full disk, of power losses, and of
   * kills and stops of two servers.
   */
  readonly size: Readonly<Record<'rounds' | 'lives' | 'disks' | 'losses' | 'servers', number>>;
}

export const DEFAULTS: TortureOptions = {
  scenarios: SCENARIOS,
  losses: LOSSES,
  size: { rounds: 3, lives: 10, disks: 4, losses: 20, servers: 20 },
};

/** Returns why a scenario cannot run on this machine, or undefined if it can. */
export function reasonToSkip(scenario: Scenario): string | undefined {
  if (scenario === 'disks' && !SmallDisk.isPossible) return 'a small disk cannot be mounted here';
  if (scenario === 'servers' && !HAS_CLICKHOUSE) return 'ClickHouse is not installed here';
  if (scenario === 'power' && spawnSync('strace', ['-V']).status !== 0) return 'strace is not installed here';
  return undefined;
}

/** Runs one round of the given scenarios. The seed determines the requests and kills, but not how far a server gets. */
export async function torture(seed: number, { scenarios, losses, size }: TortureOptions, tally: Tally): Promise<void> {
  if (scenarios.includes('kills')) {
    const folder = TestFolder.make();
    try {
      const rounds = KillRounds.in(folder, tally);
      const random = new Random(seed);
      for (let round = 0; round < size.rounds; round++) await rounds.run(random, size.lives);
    } finally {
      folder.remove();
    }
  }
  if (scenarios.includes('disks')) await killOnFullDisk(new Random(seed), size.disks, tally);
  if (scenarios.includes('servers')) {
    const random = new Random(seed);
    const disturbances = Array.from({ length: size.servers }, () => random.weighted(DISTURBANCE_WEIGHTS));
    await disturbServers(disturbances, TAKEOVER_MS, random, tally);
  }
  if (scenarios.includes('power')) {
    const recording = await (seed % 3 === 0 ? Recording.ofCommand : Recording.ofServer)(new Random(seed));
    tally.batches += recording.batches;
    for (let number = 0; number < size.losses; number++) await recording.check(seed + number, losses, tally);
  }
}
