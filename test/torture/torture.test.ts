import { expect, it } from 'vitest';
import { LOSSES } from './losses.ts';
import { Tally } from './tally.ts';
import { reasonToSkip, SCENARIOS, torture } from './torture.ts';

for (const scenario of SCENARIOS) {
  const reason = reasonToSkip(scenario);
  if (reason !== undefined) console.log(`Skipped: ${scenario} (${reason}).`);

  it.skipIf(reason !== undefined)(`loses, duplicates and splits no acknowledged batch: ${scenario}`, async () => {
    const tally = new Tally();
    const size = { rounds: 1, lives: 4, disks: 1, losses: 4, servers: 2 };
    await torture(1, { scenarios: [scenario], losses: LOSSES, size }, tally);
    console.log(tally.summary());
    expect(tally.failures).toEqual([]);
    expect(tally.records).toBeGreaterThan(0);
  });
}
