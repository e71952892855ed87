import { RecordLog } from '../../../src/service/storage/record-log.ts';

/** Appends batches to the log in a folder concurrently and prints each acknowledged one. */
const [folder = '', round = ''] = process.argv.slice(2);
const log = await RecordLog.open(folder, { report: () => undefined, fileBytes: 20_000 });
let id = 0;

async function add(): Promise<never> {
  for (;;) {
    const batch = `${round}.${id++}`;
    const lines = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({ event: batch, index, filler: 'x'.repeat(100) }),
    );
    await log.append(lines);
    process.stdout.write(`${batch}\n`);
  }
}

await Promise.all([add(), add(), add(), add()]);
