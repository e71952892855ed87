import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns a line for each violation that axe finds, of any impact. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Media and size queries have seen every change once a second frame begins.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options: RunOptions = { resultTypes: ['violations'] };
  const { violations } = await page.evaluate((given): Promise<AxeResults> => {
    return (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given);
  }, options);
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${id} (${impact}): ${html}`));
}
