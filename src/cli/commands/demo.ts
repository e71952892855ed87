import { lstat, readFile, writeFile } from 'node:fs/promises';
import { generateShopSample } from '../../data/shop-sample.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { runSegment } from './segment.ts';

const FILE = 'shop.ndjson';

const SHOWN = { on: 'properties["category"]', where: 'properties["country"] in ["DE", "FR", "NL"]' };

/** Labels and the commands to try. */
const TO_TRY = [
  [
    'Count expensive orders that came from Google',
    `count 'number(properties["amount"]) > 100 and "google" in properties["referrer"]' ${FILE}`,
  ],
  ['Count users per week, by tag', `segment 'properties["tags"]' ${FILE} --by week --unique`],
  [
    'Print events of pro users without a country',
    `filter 'properties["plan"] == "pro" and not defined(properties["country"])' ${FILE}`,
  ],
  ['Add up the revenue', `sum 'number(properties["amount"])' ${FILE} --event purchase`],
  ['See how mistakes are reported', `check 'properties["plan"] = "pro" && amount > 100'`],
  ['List the properties of the events', `properties ${FILE}`],
  ['Evaluate expressions interactively', `repl ${FILE}`],
  ['Explore the events in a browser', `play ${FILE}`],
] as const;

/** Writes sample events of a shop, segments them and prints commands to try next. */
export async function runDemo(io: Io): Promise<void> {
  await writeSample();
  const { out, command } = io;
  out.write(`$ ${command} segment '${SHOWN.on}' ${FILE} --where '${SHOWN.where}'\n\n`);
  await runSegment(io, SHOWN.on, [FILE], { where: SHOWN.where, limit: 60, now: 0 });
  const lines = TO_TRY.map(([label, line]) => `\n${label}:\n  ${command} ${line}`);
  out.write(`\n${out.styled('bold', 'Try next:')}\n${lines.join('\n')}\n`);
}

/** Writes the sample. Never overwrites another file of that name. */
async function writeSample(): Promise<void> {
  const text = [...generateShopSample()].map((event) => `${JSON.stringify(event)}\n`).join('');
  try {
    await writeFile(FILE, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new UsageError(`Cannot write ${FILE} here: ${message}`);
    if (!(await isSample(text)))
      throw new UsageError(`${FILE} exists and is not the sample. Move it away or run the demo in another folder.`);
  }
}

async function isSample(text: string): Promise<boolean> {
  return (await lstat(FILE)).isFile() && (await readFile(FILE, 'utf8')) === text;
}
