import { spawnSync } from 'node:child_process';
import { Random } from '../../src/data/random.ts';
import { TestFolder } from '../end-to-end/server-process.ts';
import { SmallDisk } from '../end-to-end/small-disk.ts';
import { killOnFullDisk } from './full-disk.ts';
import { KillRounds } from './kill-round.ts';
import { LOSSES, type Loss } from './losses.ts';
import { Recording } from './power-loss.ts';
import type { Tally } from './tally.ts';

/** What can be done to a server. */
export const ORDEALS = ['kills', 'disks', 'power'] as const;
type Ordeal = (typeof ORDEALS)[number];

interface TortureOptions {
  readonly ordeals: readonly Ordeal[];
  readonly losses: readonly Loss[];
  /** How much is done: versions of a data folder and servers that are killed over each, kills on a full disk, losses of power. */
  readonly size: Readonly<Record<'rounds' | 'lives' | 'disks' | 'losses', number>>;
}

export const DEFAULTS: TortureOptions = {
  ordeals: ORDEALS,
  losses: LOSSES,
  size: { rounds: 3, lives: 10, disks: 4, losses: 20 },
};

/** Why an ordeal cannot take place here. */
export function obstacleTo(ordeal: Ordeal): string | undefined {
  if (ordeal === 'disks' && !SmallDisk.isPossible) return 'a small disk cannot be mounted here';
  if (ordeal === 'power' && spawnSync('strace', ['-V']).status !== 0) return 'strace is not installed here';
  return undefined;
}

/** One round of all that is possible. It is drawn from its seed; how far a server comes before it is killed is not. */
export async function torture(seed: number, { ordeals, losses, size }: TortureOptions, tally: Tally): Promise<void> {
  if (ordeals.includes('kills')) {
    const folder = TestFolder.make();
    try {
      const rounds = KillRounds.in(folder, tally);
      const random = new Random(seed);
      for (let round = 0; round < size.rounds; round++) await rounds.run(random, size.lives);
    } finally {
      folder.remove();
    }
  }
  if (ordeals.includes('disks')) await killOnFullDisk(new Random(seed), size.disks, tally);
  if (ordeals.includes('power')) {
    const recording = await (seed % 3 === 0 ? Recording.ofCommand : Recording.ofServer)(new Random(seed));
    tally.batches += recording.batches;
    for (let number = 0; number < size.losses; number++) await recording.check(seed + number, losses, tally);
  }
}
