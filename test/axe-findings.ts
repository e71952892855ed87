import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, in words; every finding counts, whatever it calls its impact. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Queries of media and of sizes have been told of every change once a second frame begins.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options: RunOptions = { resultTypes: ['violations'] };
  const { violations } = await page.evaluate((given): Promise<AxeResults> => {
    return (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given);
  }, options);
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${id} (${impact}): ${html}`));
}
