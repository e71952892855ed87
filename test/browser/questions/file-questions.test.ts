import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { PROGRAM } from '../../cli/cli-process.ts';
import { withCloseNumbersOf } from '../../close-numbers.ts';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import {
  changeLook,
  closePopover,
  findChip,
  LOOKS,
  openChip,
  press,
  readExpression,
  readLine,
  readSource,
  type,
  visit,
  visitExplorer,
} from '../explore/page.ts';
import { PlayTab } from '../explore/play-tab.ts';

const FILE = 'shop.ndjson';

const PERSON = { $distinct_id: 'u1', $properties: { plan: 'pro', name: 'Ada' } };

/** A question: its tab and measure, the values of its chips, and its filter. */
interface Question {
  readonly tab: string;
  readonly measure?: string;
  readonly chips?: Readonly<Record<string, string>>;
  readonly filter?: string;
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  Segmentation: { tab: 'Trends', chips: { Event: 'purchase', By: 'plan' }, filter: 'properties["amount"] > 20' },
  'Unique users': { tab: 'Trends', measure: 'Unique users', chips: { Event: 'purchase' } },
  'Ranges of a number': {
    tab: 'Trends',
    measure: 'Ranges of a number',
    chips: { Event: 'purchase', Number: 'amount' },
  },
  'Sum of a number': { tab: 'Trends', measure: 'Sum of a number', chips: { Event: 'purchase', Number: 'amount' } },
  'Average of a number': {
    tab: 'Trends',
    measure: 'Average of a number',
    chips: { Event: 'purchase', Number: 'amount' },
  },
  Events: { tab: 'Trends', measure: 'Several events' },
  'Top events': { tab: 'Trends', measure: 'Top events today' },
  Properties: { tab: 'Trends', measure: 'Values of a property', chips: { Event: 'purchase', Property: 'plan' } },
  Funnels: { tab: 'Funnels', chips: { 'Step 1': 'view product', 'Step 2': 'purchase', By: 'country' } },
  Retention: { tab: 'Retention', chips: { 'First event': 'view product' } },
  Frequency: { tab: 'Retention', measure: 'Frequency', filter: 'properties["$event"] == "purchase"' },
  People: { tab: 'People', filter: 'properties["plan"] == "pro"' },
};

describe.skipIf(CHROMIUM === undefined)('questions about a file', () => {
  let folder: string;
  let tab: PlayTab;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-questions-'));
    const records = [...generateShopEvents(2_000, 1), PERSON];
    writeFileSync(join(folder, FILE), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    tab = await PlayTab.start([FILE], folder);
    page = tab.page;
  });
  afterAll(async () => {
    await tab.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => visitExplorer(page, tab.address));
  afterEach(() => tab.assertNoProblems());

  /** Waits until the answer belongs to the question. */
  const waitForAnswer = () => page.locator('#result[aria-busy=false][data-stale=false]').waitFor();

  async function openTabNamed(name: string): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  }

  /** Chooses a name in the popover of a chip. */
  async function choose(label: string, value: string): Promise<void> {
    const popover = await openChip(page, label);
    const named = popover.getByRole('button').filter({ has: page.getByText(value, { exact: true }) });
    await named.first().click();
    await popover.waitFor({ state: 'detached' });
  }

  async function ask({ tab: name, measure, chips = {}, filter }: Question): Promise<void> {
    await openTabNamed(name);
    if (measure !== undefined) await choose('Measure', measure);
    for (const [label, value] of Object.entries(chips)) await choose(label, value);
    if (filter !== undefined) await type(page, 'where', filter);
    await waitForAnswer();
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
    async (_, question) => {
      await ask(question);
      const { session_id: _session, ...answer } = JSON.parse(await download('JSON'));
      await page.getByRole('button', { name: 'As a command' }).click();
      const command = (await page.locator('#command-onwhere').textContent()) ?? '';
      expect(command).toContain(FILE);
      const expected = runCommand(command);
      expect(expected).toMatchObject(withCloseNumbersOf(expected, answer) as object);
      expect(Object.keys(answer)).not.toEqual([]);
    },
  );

  it('lists the events of the file, and counts one on a click', async () => {
    await openTabNamed('Funnels');
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByRole('button', { name: 'purchase' }).click();
    await expect.poll(() => readLine(findChip(page, 'Event'))).toBe('Event: purchase');
    await waitForAnswer();
    const { data } = JSON.parse(await download('JSON')) as { data: { values: { purchase: Record<string, number> } } };
    const total = Object.values(data.values.purchase).reduce((sum, count) => sum + count, 0);
    await expect
      .poll(() => readLine(page.getByRole('heading', { level: 2 }).last()))
      .toContain(`${total} purchase events`);
    expect(await readLine(events)).toContain(`purchase ${total}`);
    await page.goBack();
    await page.getByText('Users who').waitFor();
    await page.goBack();
    await page.locator('#summary').waitFor();
  });

  it('filters by a value of the property list', async () => {
    await openTabNamed('Trends');
    const properties = page.getByRole('region', { name: 'Properties' });
    await properties.getByLabel('Search properties').fill('plan');
    await properties.locator('summary').first().click();
    await properties.getByRole('button', { name: 'team' }).click();
    await expect.poll(() => readExpression(page, 'where')).toContain('properties["plan"] == "team"');
  });

  it('asks with the keyboard alone', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await press(page, 'Funnels');
    await page.keyboard.press('Enter');
    await waitForAnswer();
    for (const [step, event] of [
      ['Step 1', 'view product'],
      ['Step 2', 'purchase'],
    ] as const) {
      await press(page, new RegExp(`^${step}: `));
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
      await page.keyboard.type(event);
      await page.keyboard.press('Enter');
      await expect.poll(() => readLine(page.locator(':focus'))).toBe(`${step}: ${event}`);
    }
    await waitForAnswer();
    await expect.poll(() => readLine(page.locator('#result'))).toMatch(/view product.*purchase/);
  });

  it('runs the question of a link once the file is read', async () => {
    await visit(page, `${tab.address}#query=segmentation&event=purchase`);
    await waitForAnswer();
    await openTabNamed('Explore');
    await expect.poll(() => readLine(page.locator('#summary'))).toContain('of 2,001 events match');
  });

  it('says which events questions leave out', async () => {
    const [event] = generateShopEvents(1, 1);
    const { time: _, ...withoutTime } = event?.properties ?? {};
    writeFileSync(join(folder, 'timeless.ndjson'), JSON.stringify({ event: 'purchase', properties: withoutTime }));
    await (await openChip(page, 'Source')).getByLabel('Event file').setInputFiles(join(folder, 'timeless.ndjson'));
    await expect.poll(() => readSource(page)).toContain('Only “Explore” counts 1 event without a time.');
    await closePopover(page);
    await openTabNamed('Trends');
    await page.getByText('Choose the columns that hold them').waitFor();
  });

  it.each(['Segmentation', 'Funnels', 'Retention'])('%s is accessible and fits each width', async (question) => {
    await visitExplorer(page, tab.address);
    await ask(QUESTIONS[question] as Question);
    for (const look of LOOKS) {
      await changeLook(page, look);
      expect(await axeFindings(page), JSON.stringify(look)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width);
    }
  });
});
