import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { PROGRAM } from '../../cli/cli-process.ts';
import { withCloseNumbersOf } from '../../close-numbers.ts';
import { type Play, startPlay } from '../../web/explore/play.ts';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM, clickRun, launchChromium, replaceExpression } from '../chromium.ts';
import { openTab, readText, type Tab, visit, visitExplorer } from '../explore/page.ts';

const FILE = 'shop.ndjson';

const PERSON = { $distinct_id: 'u1', $properties: { plan: 'pro', name: 'Ada' } };

/** The fields of each question with their values. Expressions are typed. */
const QUESTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Segmentation: { Event: 'purchase', 'Group by': 'properties["plan"]', Filter: 'properties["amount"] > 20' },
  'Ranges of a number': { Event: 'purchase', 'Numeric expression': 'properties["amount"]' },
  'Sum of a number': { Event: 'purchase', 'Numeric expression': 'properties["amount"]' },
  'Average of a number': { Event: 'purchase', 'Numeric expression': 'properties["amount"]' },
  Events: { Events: 'purchase\nsign up' },
  'Top events': {},
  Properties: { Event: 'purchase', Property: 'plan' },
  Funnels: { 'Event of step 1': 'view product', 'Event of step 2': 'purchase', 'Group by': 'properties["country"]' },
  Retention: { 'First event': 'view product', 'Intervals after the first': '5' },
  Frequency: { Filter: 'properties["$event"] == "purchase"' },
  People: { Filter: 'properties["plan"] == "pro"' },
};

describe.skipIf(CHROMIUM === undefined)('questions about a file', () => {
  let folder: string;
  let play: Play;
  let browser: Browser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-questions-'));
    const records = [...generateShopEvents(2_000, 1), PERSON];
    writeFileSync(join(folder, FILE), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    [play, browser] = await Promise.all([startPlay([FILE], folder), launchChromium()]);
    tab = await openTab(browser, play.address);
    page = tab.page;
  });
  afterAll(async () => {
    await browser.close();
    await play.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => visitExplorer(page, play.address));
  afterEach(() => {
    expect(tab.problems.splice(0)).toEqual([]);
  });

  const status = () => readText(page.locator('#status'));
  const field = (label: string) => page.locator('#form').getByLabel(label, { exact: true });

  async function open(question: string): Promise<void> {
    const isMeasure = question.endsWith('of a number');
    const link = isMeasure ? 'Segmentation' : question;
    await page.getByRole('navigation').getByText(link, { exact: true }).click();
    if (isMeasure) await page.getByLabel('Measure').selectOption({ label: question });
  }

  async function fill(label: string, value: string): Promise<void> {
    const control = field(label);
    const isExpression = await control.evaluate((element) => element.getRootNode() instanceof ShadowRoot);
    if (isExpression) await replaceExpression(control, value);
    else await control.fill(value);
  }

  /** Runs the command that the page shows, and returns its JSON. */
  function runCommand(command: string): unknown {
    const script = `onwhere() { "${process.execPath}" "${PROGRAM}" "$@"; }; ${command} --json`;
    return JSON.parse(execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }));
  }

  async function download(name: string): Promise<string> {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('group', { name: 'Download' }).getByRole('button', { name, exact: true }).click(),
    ]);
    return readFileSync(await saved.path(), 'utf8');
  }

  it.each(Object.entries(QUESTIONS))(
    '%s: the page and the command that it shows answer the same',
    async (question, fields) => {
      await open(question);
      for (const [label, value] of Object.entries(fields)) await fill(label, value);
      await clickRun(page);
      await expect.poll(status).toMatch(/^Finished in/);
      const { session_id: _, ...answer } = JSON.parse(await download('JSON'));
      const command = (await page.locator('#command-onwhere').textContent()) ?? '';
      expect(command).toContain(FILE);
      const expected = runCommand(command);
      expect(expected).toMatchObject(withCloseNumbersOf(expected, answer) as object);
      expect(Object.keys(answer)).not.toEqual([]);
    },
  );

  it('shows the events of the file first, and counts one on a click', async () => {
    await open('Segmentation');
    const home = page.locator('.home');
    await expect.poll(() => readText(home)).toContain('2,000 events, 2025-06-01 to 2025-06-30, by day.');
    await home.getByRole('button', { name: 'purchase' }).click();
    await expect.poll(status).toMatch(/^Finished in/);
    await page.goBack();
    await expect.poll(() => page.locator('#summary').isVisible()).toBe(true);
  });

  it('filters by a value of the property panel', async () => {
    await open('Segmentation');
    const panel = page.locator('#properties');
    await panel.getByLabel('Search properties').fill('plan');
    await panel.locator('details[data-name=plan] summary').first().click();
    await panel.getByRole('button', { name: 'team' }).click();
    await expect.poll(() => readText(field('Filter'))).toContain('properties["plan"] == "team"');
  });

  it('asks with the keyboard alone', async () => {
    const press = async (wanted: string) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(() => {
          const { activeElement: focused } = document;
          const inner = focused?.shadowRoot?.activeElement ?? focused;
          const label = inner instanceof HTMLInputElement ? inner.labels?.[0]?.textContent : undefined;
          return label ?? inner?.getAttribute('aria-label') ?? inner?.textContent ?? '';
        });
        if (name === wanted) return;
      }
      throw new Error(`The Tab key does not reach ${wanted}.`);
    };
    await page.locator('h1').click();
    await press('Funnels');
    await page.keyboard.press('Enter');
    await press('Event of step 1');
    await page.keyboard.type('view product');
    await press('Event of step 2');
    await page.keyboard.type('purchase');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(status).toMatch(/^Finished in/);
    await expect.poll(() => readText(page.locator('#result'))).toContain('2. purchase');
  });

  it('runs the question of a link once the file is read', async () => {
    await visit(page, `${play.address}#query=segmentation&event=purchase`);
    await expect.poll(status).toMatch(/^Finished in/);
    await page.getByRole('navigation').getByText('Explore', { exact: true }).click();
    await expect.poll(() => readText(page.locator('#summary'))).toContain('2,001 events match');
  });

  it('says which events questions leave out', async () => {
    const [event] = generateShopEvents(1, 1);
    const { time: _, ...withoutTime } = event?.properties ?? {};
    writeFileSync(join(folder, 'timeless.ndjson'), JSON.stringify({ event: 'purchase', properties: withoutTime }));
    await page.locator('#file').setInputFiles(join(folder, 'timeless.ndjson'));
    await open('Segmentation');
    await expect.poll(() => readText(page.locator('#left-out'))).toBe('Only “Explore” counts 1 event without a time.');
    await expect.poll(() => readText(page.locator('.home'))).toContain('Choose the columns that hold them');
  });

  const looks = [390, 768, 1280, 1920].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => [width, colorScheme] as const),
  );
  it.each(looks)('is accessible and fits %i pixels in the %s theme', async (width, colorScheme) => {
    await visitExplorer(page, play.address, { width, colorScheme });
    for (const question of ['Segmentation', 'Funnels', 'Retention']) {
      await open(question);
      for (const [label, value] of Object.entries(QUESTIONS[question] ?? {})) await fill(label, value);
      await clickRun(page);
      await expect.poll(status).toMatch(/^Finished in/);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
});
