import { lstat, readFile, writeFile } from 'node:fs/promises';
import { generateShopSample } from '../../data/shop-sample.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { runSegment } from './segment.ts';

const FILE = 'shop.ndjson';

const SHOWN = { on: 'properties["category"]', where: 'properties["country"] in ["DE", "FR", "NL"]' };

const TO_TRY = [
  `count 'number(properties["amount"]) > 100 and "google" in properties["referrer"]' ${FILE}`,
  `segment 'properties["tags"]' ${FILE} --by week --unique`,
  `filter 'properties["plan"] == "pro" and not defined(properties["country"])' ${FILE}`,
  `sum 'number(properties["amount"])' ${FILE} --event purchase`,
  `check 'properties["plan"] = "pro" && amount > 100'`,
  `properties ${FILE}`,
  `repl ${FILE}`,
  `play ${FILE}`,
];

/** Writes sample events of a shop, segments them and says what to try next. */
export async function runDemo(io: Io): Promise<void> {
  await writeSample();
  const { out, command } = io;
  out.write(`$ ${command} segment '${SHOWN.on}' ${FILE} --where '${SHOWN.where}'\n\n`);
  await runSegment(io, SHOWN.on, [FILE], { where: SHOWN.where, limit: 60, now: 0 });
  const lines = TO_TRY.map((line) => `  ${command} ${line}`);
  out.write(`\n${out.styled('bold', 'Try next:')}\n${lines.join('\n')}\n`);
}

/** A file of the same name that is something else is never overwritten. */
async function writeSample(): Promise<void> {
  const text = [...generateShopSample()].map((event) => `${JSON.stringify(event)}\n`).join('');
  try {
    await writeFile(FILE, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new UsageError(`the sample cannot be written here: ${message}`);
    if (!(await isSample(text))) throw new UsageError(`${FILE} exists and is not the sample; move it away`);
  }
}

async function isSample(text: string): Promise<boolean> {
  return (await lstat(FILE)).isFile() && (await readFile(FILE, 'utf8')) === text;
}
