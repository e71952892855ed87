import { expect, it } from 'vitest';
import { LOSSES } from './losses.ts';
import { Tally } from './tally.ts';
import { ORDEALS, obstacleTo, torture } from './torture.ts';

for (const ordeal of ORDEALS) {
  const obstacle = obstacleTo(ordeal);
  if (obstacle !== undefined) console.log(`Skipped: ${ordeal}, since ${obstacle}.`);

  it.skipIf(obstacle !== undefined)(`nothing acknowledged is lost, doubled or there in part: ${ordeal}`, async () => {
    const tally = new Tally();
    const size = { rounds: 1, lives: 4, disks: 1, losses: 4 };
    await torture(1, { ordeals: [ordeal], losses: LOSSES, size }, tally);
    console.log(tally.summary());
    expect(tally.failures).toEqual([]);
    expect(tally.records).toBeGreaterThan(0);
  });
}
