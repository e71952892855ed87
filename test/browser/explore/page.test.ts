import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { runProcess } from '../../cli/cli-process.ts';
import { runCli } from '../../cli/run-cli.ts';
import { type Play, startPlay } from '../../web/explore/play.ts';
import { CHROMIUM, launchChromium } from '../chromium.ts';
import { openTab, readCells, readText, type Tab, type, visitExplorer } from './page.ts';

const FILE = 'shop.ndjson';
const EVENTS = Array.from(generateShopEvents(2_000, 1));
const TEAM = EVENTS.filter(({ properties }) => properties.plan === 'team').length;

describe.skipIf(CHROMIUM === undefined)('exploring a file', () => {
  let folder: string;
  let play: Play;
  let browser: Browser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-page-'));
    writeFileSync(join(folder, FILE), EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''));
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

  const cli = async (...args: string[]) =>
    (await runCli(args.map((arg) => (arg === FILE ? join(folder, FILE) : arg)))).out;
  const grouped = (count: number | string | undefined) => Number(count).toLocaleString('en-US');
  const summary = () => readText(page.locator('#summary'));

  it('shows the file that it was started with', async () => {
    expect(await readText(page.locator('#progress'))).toBe('shop.ndjson: 2,000 events');
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
    ['floor(number(properties["amount"]) / 50) * 50', 'month', 'events'],
  ])('groups by %s per %s and counts %s', async (on, unit, measure) => {
    const where = 'properties["plan"] == "pro"';
    const unique = measure === 'users' ? ['--unique'] : [];
    const args = ['segment', on, FILE, '--where', where, '--json', ...unique];
    const totals = JSON.parse(await cli(...args));
    const overTime = JSON.parse(await cli(...args, '--by', unit));
    await type(page, 'where', where);
    await type(page, 'on', on);
    await page.getByLabel('Count').selectOption(measure);
    await page.getByLabel('per', { exact: true }).selectOption(unit);
    const table = '[aria-label=Segments] table';
    const expected = totals.segments.map((found: { name: string; count: number }) => {
      return [found.name, grouped(found.count)];
    });
    const column = measure === 'users' ? 2 : 1;
    const shown = async () => (await readCells(page, table)).map((row) => [row[0], row[column]]);
    await expect.poll(shown).toEqual(expected);
    await page.getByText(`${measure === 'users' ? 'Users' : 'Events'} by ${unit} as a table`).click();
    const rows = await readCells(page, '#panel-segments details table');
    expect(rows).toEqual(
      overTime.series.map((bucket: string) => [
        bucket,
        ...overTime.segments.map((found: { values: Record<string, number> }) => {
          return grouped(found.values[bucket] ?? 0);
        }),
      ]),
    );
    const legend = await page.locator('.legend bdi').allInnerTexts();
    expect(legend).toEqual(overTime.segments.slice(0, 6).map(({ name }: { name: string }) => name));
  });

  it('shows errors while typing and fixes them on a click', async () => {
    const before = await summary();
    await type(page, 'where', 'properties["plan"] = "pro"');
    const diagnostic = page.locator('#where .messages [data-code=single-equals]');
    expect(await readText(diagnostic)).toContain('`=` is not an operator.');
    expect(await summary()).toBe(`${before}\nShowing results of your last valid query.`);
    await diagnostic.getByRole('button', { name: 'Write `==`' }).click();
    expect(await readText(page.locator('#where .cm-content'))).toBe('properties["plan"] == "pro"');
    await diagnostic.waitFor({ state: 'detached' });
    await expect
      .poll(summary)
      .toContain(`${grouped(await cli('count', 'properties["plan"] == "pro"', FILE))} of 2,000 events match`);
    expect(await readText(page.locator('#where .messages'))).toBe('boolean · reads properties["plan"]');
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
      await page.locator(`#where .messages [data-code=${code}]`).waitFor();
    }
  });

  it('knows the properties of the file', async () => {
    await type(page, 'on', 'properties["contry"]');
    await expect
      .poll(() => readText(page.locator('#on .messages')))
      .toMatch(/Did you mean "country" \([\d,]+ records\)\?/);
  });

  it('lists properties and values, which filter and group on a click', async () => {
    const panel = page.locator('#properties');
    await panel.getByLabel('Search properties').fill('plan');
    await panel.locator('details[data-name=plan] summary').first().click();
    const team = panel.getByRole('button', { name: 'team' });
    await expect.poll(() => readText(team)).toMatch(new RegExp(`^team\\s*${grouped(TEAM)}$`));
    await type(page, 'where', 'properties["country"] == "US"');
    await team.click();
    const where = 'properties["country"] == "US" and properties["plan"] == "team"';
    await expect.poll(() => readText(page.locator('#where .cm-content'))).toBe(where);
    await expect.poll(summary).toContain(`${grouped(await cli('count', where, FILE))} of 2,000 events match`);
    await panel.getByRole('button', { name: 'Group by' }).first().click();
    await expect.poll(() => readText(page.locator('#on .cm-content'))).toBe('properties["plan"]');
  });

  it('filters by a segment on a click, and by all others with Alt', async () => {
    await type(page, 'where', '');
    await type(page, 'on', 'properties["plan"]');
    const segment = page.locator('#panel-segments table').getByRole('button', { name: 'team' });
    await segment.click({ modifiers: ['Alt'] });
    const filter = page.locator('#where .cm-content');
    await expect.poll(() => readText(filter)).toBe('properties["plan"] != "team"');
    await expect.poll(() => segment.count()).toBe(0);
    await page.locator('#panel-segments table').getByRole('button', { name: 'pro' }).click();
    await expect.poll(() => readText(filter)).toBe('properties["plan"] != "team" and properties["plan"] == "pro"');
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
    const free = page.locator('#panel-events tbody tr', { hasText: '"free"' }).first();
    const reason = 'properties["plan"] == "pro" is false: properties["plan"] is "free"';
    await free.hover();
    await expect.poll(() => readText(page.getByRole('tooltip'))).toContain(reason);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('tooltip').isVisible()).toBe(false);
    await free.getByRole('button').focus();
    expect(await readText(page.getByRole('tooltip'))).toContain(reason);
    expect(await free.getByRole('button').getAttribute('aria-describedby')).toBe('tip');
    await page.keyboard.press('Enter');
    expect(await free.getByRole('button').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('tab', { name: 'Tree' }).click();
    const tree = await readText(page.locator('#panel-tree'));
    expect(tree).toContain(reason);
    expect(tree).toContain('properties["plan"] "free" string or null or undefined');
    await page.getByText('On event #').click();
    expect(await readText(page.locator('#panel-tree pre'))).toContain(
      `"distinct_id": "${first.properties.distinct_id}"`,
    );
  });

  it('formats expressions', async () => {
    await type(page, 'where', 'NOT(properties["plan"]=="pro")');
    await page.getByRole('button', { name: 'Format: Filter' }).click();
    expect(await readText(page.locator('#where .cm-content'))).toBe('not properties["plan"] == "pro"');
  });

  it('restores its state from a link and after a reload', async () => {
    await type(page, 'where', 'properties["plan"] == "<img src=x>" or "%#&" in properties["referrer"] or true');
    await type(page, 'on', 'properties["plan"]');
    await page.getByLabel('Count').selectOption('users');
    await page.getByLabel('per', { exact: true }).selectOption('week');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const state = async () => [
      await page.locator('.cm-content').allInnerTexts(),
      await page
        .locator('#panel-segments select')
        .evaluateAll((all) => all.map((select) => (select as HTMLSelectElement).value)),
      await readText(page.locator('[role=tab][aria-selected=true]')),
      await summary(),
    ];
    const expected = await state();
    await page.reload();
    await expect.poll(state).toEqual(expected);
    await visitExplorer(page, link);
    await expect.poll(state).toEqual(expected);
  });

  it('follows a link that is pasted into the address bar', async () => {
    await page.goto(`${play.address}#where=false&on=`);
    await expect.poll(summary).toContain('0 of 2,000 events match');
    expect(await readText(page.locator('#panel-segments'))).toContain('Enter an expression under “Group by”');
  });

  it('works with the keyboard alone', async () => {
    await page.locator('#where .cm-content').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('properties["plan"] == "team"', { delay: 5 });
    await expect.poll(summary).toContain(`${TEAM} of 2,000 events match`);
    await page.getByRole('tab', { name: 'Segments' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await readText(page.locator('[role=tab]:focus'))).toBe('Events');
    expect(await page.locator('#panel-events').isVisible()).toBe(true);
    await page.keyboard.press('End');
    expect(await page.locator('[role=tabpanel]:visible').getAttribute('id')).toBe('panel-tree');
    await page.keyboard.press('Home');
    expect(await page.locator('[role=tabpanel]:visible').getAttribute('id')).toBe('panel-segments');
  });

  it('pages through the matching and the other events', async () => {
    await type(page, 'where', 'properties["plan"] == "team"');
    await expect.poll(summary).toContain(`${TEAM} of`);
    await page.getByRole('tab', { name: 'Events' }).click();
    const panel = page.locator('#panel-events');
    expect(await readText(panel)).toContain(`1–50 of ${TEAM}`);
    await panel.getByRole('button', { name: 'Next' }).click();
    await panel.getByText(`51–100 of ${TEAM}`).waitFor();
    await panel.getByLabel('Show').selectOption('not matching');
    await panel.getByText(`1–50 of ${grouped(2_000 - TEAM)}`).waitFor();
    const filter = (await readCells(page, '#panel-events table')).map((row) => row[1]);
    expect(new Set(filter)).toEqual(new Set(['✗ false']));
  });
});
