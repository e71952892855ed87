import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Properties } from '../../src/lang/value.ts';
import { FILE_CASES } from './file-case.ts';

// The process that `by-hand-tool.ts` starts, with the name of a case and a file.

const [name, file = ''] = process.argv.slice(2);
const testCase = FILE_CASES.find((one) => one.name === name);
const segments: Record<string, number> = {};
let count = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { properties }: { properties: Properties } = JSON.parse(line);
  if (testCase?.command === 'segment') {
    const value = String(properties[testCase.property]);
    segments[value] = (segments[value] ?? 0) + 1;
  } else if (testCase?.filterCase.byHand(properties)) {
    if (testCase.command === 'filter') process.stdout.write(`${line}\n`);
    else count++;
  }
}
if (testCase?.command === 'segment') console.log(JSON.stringify(segments));
else if (testCase?.command === 'count') console.log(count);
