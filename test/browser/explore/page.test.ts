import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { runProcess } from '../../cli/cli-process.ts';
import { runCli } from '../../cli/run-cli.ts';
import { CHROMIUM, replaceExpression } from '../chromium.ts';
import {
  findChip,
  openChip,
  openEditor,
  press,
  readCells,
  readExpression,
  readLine,
  readText,
  type,
  visitExplorer,
} from './page.ts';
import { PlayTab } from './play-tab.ts';

const FILE = 'shop.ndjson';
const EVENTS = Array.from(generateShopEvents(2_000, 1));
const TEAM = EVENTS.filter(({ properties }) => properties.plan === 'team').length;

describe.skipIf(CHROMIUM === undefined)('exploring a file', () => {
  let folder: string;
  let tab: PlayTab;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-page-'));
    writeFileSync(join(folder, FILE), EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''));
    tab = await PlayTab.start([FILE], folder);
    page = tab.page;
  });
  afterAll(async () => {
    await tab.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => visitExplorer(page, tab.address));
  afterEach(() => tab.assertNoProblems());

  const cli = async (...args: string[]) =>
    (await runCli(args.map((arg) => (arg === FILE ? join(folder, FILE) : arg)))).out;
  const grouped = (count: number | string | undefined) => Number(count).toLocaleString('en-US');
  const summary = () => readLine(page.locator('#summary'));
  const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
  const messages = () => page.locator('onwhere-filter .messages');

  it('shows the file that it was started with', async () => {
    expect(await readLine(findChip(page, 'Source'))).toBe('Source: shop.ndjson 2,000 events');
    const popover = await openChip(page, 'Source');
    expect(await readText(popover.getByRole('status'))).toBe('shop.ndjson: 2,000 events');
  });

  it.each([
    'properties["plan"] == "pro"',
    'number(properties["amount"]) > 100 and properties["plan"] in ["pro", "team"]',
    'properties["is_gift"] == "true" and properties["plan"] == "team" and properties["age"] > 70',
    'defined(properties["nothing"])',
  ])('counts the events that match %s', async (where) => {
    const [events, users] = [await cli('count', where, FILE), await cli('count', where, FILE, '--unique')].map(Number);
    await type(page, 'where', where);
    await expect.poll(summary).toContain(`${grouped(events)} of 2,000 events match`);
    if (users !== 0) expect(await summary()).toContain(` from ${grouped(users)} users`);
  });

  it.each([
    ['properties["country"]', 'day', 'events'],
    ['properties["tags"]', 'week', 'users'],
    ['floor(number(properties["amount"]) / 50) * 50', 'week', 'events'],
  ])('groups by %s per %s and counts %s', async (on, unit, measure) => {
    const where = 'properties["plan"] == "pro"';
    const unique = measure === 'users' ? ['--unique'] : [];
    const args = ['segment', on, FILE, '--where', where, '--json', ...unique];
    const totals = JSON.parse(await cli(...args));
    const overTime = JSON.parse(await cli(...args, '--by', unit));
    await type(page, 'where', where);
    await type(page, 'on', on);
    await choice('Count').selectOption(measure);
    await choice('per').selectOption(unit);
    const expected = totals.segments.map((found: { name: string; count: number }) => {
      return [found.name, grouped(found.count)];
    });
    const panel = page.getByRole('tabpanel', { name: 'Segments' });
    const title = measure === 'users' ? 'Unique users' : 'Total';
    const shown = async () =>
      (await readCells(panel.getByRole('table', { name: title }))).map((row) => row.slice(0, 2));
    await expect.poll(shown).toEqual(expected);
    await panel.getByText('As a table').click();
    const name = `${measure === 'users' ? 'Users' : 'Events'} by ${unit}`;
    expect(await panel.getByRole('application', { name }).isVisible()).toBe(true);
    const numbers = panel.getByRole('table', { name });
    const names = overTime.segments.map((found: { name: string }) => found.name);
    await expect.poll(() => numbers.getByRole('columnheader').allInnerTexts()).toEqual(names);
    expect(await panel.locator('svg text').allTextContents()).toEqual(expect.arrayContaining(names.slice(0, 6)));
    const rows = await readCells(numbers);
    expect(rows.map(([, ...counts]) => counts)).toEqual(
      overTime.series.map((bucket: string) =>
        overTime.segments.map(({ values }: { values: Record<string, number> }) => grouped(values[bucket] ?? 0)),
      ),
    );
  });

  it('gives editors the colours of the page', async () => {
    await type(page, 'where', 'properties["plan"] = "pro"');
    const severity = messages().locator('strong').first();
    await severity.waitFor();
    const shown = await severity.evaluate((element) => getComputedStyle(element).color);
    const expected = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--error)';
      return getComputedStyle(probe).color;
    });
    expect(shown).toBe(expected);
  });

  it('shows errors while typing and fixes them on a click', async () => {
    const before = await summary();
    await type(page, 'where', 'properties["plan"] = "pro"');
    const diagnostic = messages().locator('[data-code=single-equals]');
    expect(await readText(diagnostic)).toContain('`=` is not an operator.');
    expect(await summary()).toBe(`${before} Showing results of your last valid query.`);
    await diagnostic.getByRole('button', { name: 'Write `==`' }).click();
    expect(await readExpression(page, 'where')).toBe('properties["plan"] == "pro"');
    await diagnostic.waitFor({ state: 'detached' });
    await expect
      .poll(summary)
      .toContain(`${grouped(await cli('count', 'properties["plan"] == "pro"', FILE))} of 2,000 events match`);
    expect(await readText(messages())).toBe('reads properties["plan"]');
  });

  it('warns of conditions that are always or never true, or make no difference', async () => {
    for (const [code, where] of [
      ['never-true', 'properties["amount"] == 1 and properties["amount"] == 2'],
      ['redundant-condition', 'properties["plan"] == "pro" or properties["plan"] in ["pro", "team"]'],
      ['always-true', 'properties["plan"] != "pro" or properties["plan"] != "team"'],
      ['redundant-condition', 'properties["plan"] in ["pro", "pro"]'],
      ['never-true', 'properties["amount"] > 10 and properties["amount"] < 5'],
      ['always-true', 'defined(properties["plan"]) or not defined(properties["plan"])'],
      ['redundant-condition', 'number(properties["amount"]) > 5 and number(properties["amount"]) > 3'],
      ['never-true', 'properties["plan"] == "pro" and not defined(properties["plan"])'],
    ] as const) {
      await type(page, 'where', where);
      await messages().locator(`[data-code=${code}]`).waitFor();
    }
  });

  it('knows the properties of the file', async () => {
    await type(page, 'where', '');
    await replaceExpression(await openEditor(page, 'on'), 'properties["contry"]');
    await expect.poll(() => readText(messages())).toMatch(/Did you mean "country" \([\d,]+ records\)\?/);
    await page.getByRole('button', { name: 'Replace with properties["country"]' }).click();
    await expect.poll(() => readLine(findChip(page, 'By'))).toBe('By: country');
  });

  it('lists properties and values, which filter and group on a click', async () => {
    const panel = page.getByRole('region', { name: 'Properties' });
    await panel.getByLabel('Search properties').fill('plan');
    await panel.locator('details[data-name=plan] summary').first().click();
    const team = panel.getByRole('button', { name: 'team' });
    await expect.poll(() => readText(team)).toMatch(new RegExp(`^team\\s*${grouped(TEAM)}$`));
    await type(page, 'where', 'properties["country"] == "US"');
    await team.click();
    const where = 'properties["country"] == "US" and properties["plan"] == "team"';
    await expect.poll(() => readExpression(page, 'where')).toBe(where);
    await expect.poll(summary).toContain(`${grouped(await cli('count', where, FILE))} of 2,000 events match`);
    await panel.getByRole('button', { name: 'Group by' }).first().click();
    await expect.poll(() => readLine(findChip(page, 'By'))).toBe('By: plan');
  });

  it('filters by a segment on a click, and by all others with Alt', async () => {
    await type(page, 'where', '');
    await type(page, 'on', 'properties["plan"]');
    const table = page.getByRole('table', { name: 'Total' });
    const segment = table.getByRole('button', { name: 'team' });
    await segment.click({ modifiers: ['Alt'] });
    const filter = () => readExpression(page, 'where');
    await expect.poll(filter).toBe('properties["plan"] != "team"');
    await expect.poll(() => segment.count()).toBe(0);
    await table.getByRole('button', { name: 'pro' }).click();
    await expect.poll(filter).toBe('properties["plan"] != "team" and properties["plan"] == "pro"');
  });

  it('links to the event that failed the query', async () => {
    const where = 'defined(properties["age"]) and properties["is_gift"]';
    await type(page, 'where', where);
    await expect.poll(summary).toContain('Query failed: “Filter” raised a type error on an event.');
    const { err } = await runProcess(['count', where, FILE], { cwd: folder });
    const [, line] = /record at shop\.ndjson:(\d+)/.exec(err) ?? [];
    await page.getByRole('button', { name: `Show event #${line}` }).click();
    const tree = page.getByRole('tab', { name: 'Tree' });
    await expect.poll(() => tree.getAttribute('aria-selected')).toBe('true');
  });

  it('explains on hover and focus why an event matches, and shows its tree', async () => {
    const first = JSON.parse((await cli('filter', 'properties["plan"] == "free"', FILE)).split('\n')[0] ?? '');
    await type(page, 'where', 'properties["plan"] == "pro" and properties["country"] == "US"');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByLabel('Show').selectOption('not matching');
    const free = page.getByRole('row', { name: '"free"' }).first();
    const reason = 'properties["plan"] == "pro" is false: properties["plan"] is "free"';
    await free.hover();
    await expect.poll(() => readText(page.getByRole('tooltip'))).toContain(reason);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('tooltip').isVisible()).toBe(false);
    await free.getByRole('button').focus();
    await expect.poll(() => readText(page.getByRole('tooltip'))).toContain(reason);
    const description = await free.getByRole('button').getAttribute('aria-describedby');
    expect(await page.getByRole('tooltip').getAttribute('id')).toBe(description);
    await page.keyboard.press('Enter');
    await expect.poll(() => free.getByRole('button').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('tab', { name: 'Tree' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Tree' });
    const tree = await readText(panel);
    expect(tree).toContain(reason);
    expect(tree).toContain('properties["plan"] "free" string or null or undefined');
    await page.getByText('On event #').click();
    expect(await readText(panel.locator('pre'))).toContain(`"distinct_id": "${first.properties.distinct_id}"`);
  });

  it('formats expressions', async () => {
    await type(page, 'where', 'NOT(properties["plan"]=="pro")');
    await page.getByRole('button', { name: 'Format: Filter' }).click();
    expect(await readExpression(page, 'where')).toBe('not properties["plan"] == "pro"');
  });

  it('restores its state from a link and after a reload', async () => {
    await type(page, 'where', 'properties["plan"] == "<img src=x>" or "%#&" in properties["referrer"] or true');
    await type(page, 'on', 'properties["plan"]');
    await choice('Count').selectOption('users');
    await choice('per').selectOption('week');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const state = async () => {
      await page.getByRole('tab', { selected: true }).waitFor();
      return [
        await readText(page.getByRole('tab', { selected: true })),
        await readText(page.getByRole('group', { name: 'Question' })),
        await readExpression(page, 'where'),
        new URLSearchParams(new URL(page.url()).hash.slice(1)).toString(),
        await summary(),
      ];
    };
    const expected = await state();
    await page.reload();
    await expect.poll(state).toEqual(expected);
    await visitExplorer(page, link);
    await expect.poll(state).toEqual(expected);
    await page.getByRole('tab', { name: 'Segments' }).click();
    expect(await choice('Count').inputValue()).toBe('users');
    expect(await choice('per').inputValue()).toBe('week');
  });

  it('follows a link that is pasted into the address bar', async () => {
    await page.goto(`${tab.address}#where=false&on=`);
    await expect.poll(summary).toContain('0 of 2,000 events match');
    const panel = page.getByRole('tabpanel', { name: 'Segments' });
    await expect.poll(() => readText(panel)).toContain('Group the events by a property to see segments.');
  });

  it('works with the keyboard alone', async () => {
    await press(page, 'Text');
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').waitFor();
    await press(page, 'Filter', 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('properties["plan"] == "team"', { delay: 5 });
    await expect.poll(summary).toContain(`${TEAM} of 2,000 events match`);
    await press(page, 'Segments');
    const focused = page.locator('[role=tab]:focus');
    const panel = page.getByRole('tabpanel');
    for (const [key, name] of [
      ['ArrowRight', 'Events'],
      ['End', 'Tree'],
      ['ArrowRight', 'Segments'],
      ['ArrowLeft', 'Tree'],
      ['Home', 'Segments'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => readText(focused)).toBe(name);
      await expect.poll(() => panel.and(page.getByRole('tabpanel', { name })).isVisible()).toBe(true);
    }
  });

  it('pages through the matching and the other events', async () => {
    await type(page, 'where', 'properties["plan"] == "team"');
    await expect.poll(summary).toContain(`${TEAM} of`);
    await page.getByRole('tab', { name: 'Events' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Events' });
    await expect.poll(() => readText(panel)).toContain(`1–50 of ${TEAM}`);
    await panel.getByRole('button', { name: 'Next' }).click();
    await panel.getByText(`51–100 of ${TEAM}`).waitFor();
    await panel.getByLabel('Show').selectOption('not matching');
    await panel.getByText(`1–50 of ${grouped(2_000 - TEAM)}`).waitFor();
    const outcomes = async () => new Set((await readCells(panel.getByRole('table'))).map((row) => row[1]));
    await expect.poll(outcomes).toEqual(new Set(['✗ false']));
    await panel.getByRole('button', { name: 'Next' }).click();
    await panel.getByText(`51–100 of ${grouped(2_000 - TEAM)}`).waitFor();
    await page.getByRole('tab', { name: 'Tree' }).click();
    await page.getByRole('tab', { name: 'Events' }).click();
    await panel.getByText(`51–100 of ${grouped(2_000 - TEAM)}`).waitFor();
  });
});
