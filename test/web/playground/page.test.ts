import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateShopEvents } from '../../../src/data/shop-sample.ts';
import { CHROMIUM, launchChromium } from '../../chromium.ts';
import { runProcess } from '../../cli/cli-process.ts';
import { runCli } from '../../cli/run-cli.ts';
import { cells, openTab, seen, type Tab, type, visitPlayground } from './page.ts';
import { type Play, startPlay } from './play.ts';

const FILE = 'shop.ndjson';
const EVENTS = Array.from(generateShopEvents(2_000, 1));
const TEAM = EVENTS.filter(({ properties }) => properties.plan === 'team').length;

describe.skipIf(CHROMIUM === undefined)('the playground', () => {
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

  beforeEach(() => visitPlayground(page, play.address));
  afterEach(() => {
    expect(tab.problems.splice(0)).toEqual([]);
  });

  const cli = async (...args: string[]) =>
    (await runCli(args.map((arg) => (arg === FILE ? join(folder, FILE) : arg)))).out;
  const grouped = (count: number | string | undefined) => Number(count).toLocaleString('en-US');
  const summary = () => seen(page.locator('#summary'));

  it('shows the file that it was started with', async () => {
    expect(await seen(page.locator('#reading'))).toBe('shop.ndjson: 2,000 events');
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
  ])('segments by %s, by %s, the %s', async (on, unit, measure) => {
    const where = 'properties["plan"] == "pro"';
    const unique = measure === 'users' ? ['--unique'] : [];
    const args = ['segment', on, FILE, '--where', where, '--json', ...unique];
    const totals = JSON.parse(await cli(...args));
    const overTime = JSON.parse(await cli(...args, '--by', unit));
    await type(page, 'where', where);
    await type(page, 'on', on);
    await page.getByLabel('Count').selectOption(measure);
    await page.getByLabel('per').selectOption(unit);
    const table = '[aria-label=Segments] table';
    const expected = totals.segments.map((found: { name: string; count: number }) => {
      return [found.name, grouped(found.count)];
    });
    const column = measure === 'users' ? 2 : 1;
    const shown = async () => (await cells(page, table)).map((row) => [row[0], row[column]]);
    await expect.poll(shown).toEqual(expected);
    await page.getByText(`${measure === 'users' ? 'Users' : 'Events'} by ${unit} as a table`).click();
    const rows = await cells(page, '#panel-segments details table');
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

  it('says what is wrong while it is typed, and mends it on a click', async () => {
    const before = await summary();
    await type(page, 'where', 'properties["plan"] = "pro"');
    const diagnostic = page.locator('#where-findings [data-code=single-equals]');
    expect(await seen(diagnostic)).toContain('`=` is not an operator.');
    expect(await summary()).toBe(`${before}\nThis is the answer to the last query that could be asked.`);
    await diagnostic.getByRole('button', { name: 'Write `==`' }).click();
    expect(await seen(page.locator('#where .cm-content'))).toBe('properties["plan"] == "pro"');
    await diagnostic.waitFor({ state: 'detached' });
    await expect
      .poll(summary)
      .toContain(`${grouped(await cli('count', 'properties["plan"] == "pro"', FILE))} of 2,000 events match`);
    expect(await seen(page.locator('#where-findings'))).toBe('boolean · reads properties["plan"]');
  });

  it('knows the properties of the file', async () => {
    await type(page, 'on', 'properties["contry"]');
    await expect.poll(() => seen(page.locator('#on-findings'))).toContain('Did you mean "country"?');
  });

  it('names the event that fails a query', async () => {
    const where = 'defined(properties["age"]) and properties["is_gift"]';
    await type(page, 'where', where);
    await expect.poll(summary).toContain('The filter fails on an event, which fails the query.');
    const { err } = await runProcess(['count', where, FILE], { cwd: folder });
    const [, line] = /record at shop\.ndjson:(\d+)/.exec(err) ?? [];
    await page.getByRole('button', { name: `Show event #${line}` }).click();
    const tree = page.getByRole('tab', { name: 'Tree' });
    await expect.poll(() => tree.getAttribute('aria-selected')).toBe('true');
  });

  it('says why an event is in or out, to the pointer and to the keyboard, and shows its tree', async () => {
    const first = JSON.parse((await cli('filter', 'properties["plan"] == "free"', FILE)).split('\n')[0] ?? '');
    await type(page, 'where', 'properties["plan"] == "pro" and properties["country"] == "US"');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByLabel('Show').selectOption('not matching');
    const free = page.locator('#panel-events tbody tr', { hasText: '"free"' }).first();
    const reason = 'properties["plan"] == "pro" is false: properties["plan"] is "free"';
    await free.hover();
    await expect.poll(() => seen(page.getByRole('tooltip'))).toContain(reason);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('tooltip').isVisible()).toBe(false);
    await free.getByRole('button').focus();
    expect(await seen(page.getByRole('tooltip'))).toContain(reason);
    expect(await free.getByRole('button').getAttribute('aria-describedby')).toBe('tip');
    await page.keyboard.press('Enter');
    expect(await free.getByRole('button').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('tab', { name: 'Tree' }).click();
    const tree = await seen(page.locator('#panel-tree'));
    expect(tree).toContain(reason);
    expect(tree).toContain('properties["plan"] "free" string or null or undefined');
    await page.getByText('On event #').click();
    expect(await seen(page.locator('#panel-tree pre'))).toContain(`"distinct_id": "${first.properties.distinct_id}"`);
  });

  it('formats', async () => {
    await type(page, 'where', 'NOT(properties["plan"]=="pro")');
    await page.getByRole('button', { name: 'Format the filter' }).click();
    expect(await seen(page.locator('#where .cm-content'))).toBe('not properties["plan"] == "pro"');
  });

  it('opens in the same state from its link, and after it is loaded again', async () => {
    await type(page, 'where', 'properties["plan"] == "<img src=x>" or "%#&" in properties["referrer"] or true');
    await type(page, 'on', 'properties["plan"]');
    await page.getByLabel('Count').selectOption('users');
    await page.getByLabel('per').selectOption('week');
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
      await seen(page.locator('[role=tab][aria-selected=true]')),
      await summary(),
    ];
    const expected = await state();
    await page.reload();
    await expect.poll(state).toEqual(expected);
    await visitPlayground(page, link);
    await expect.poll(state).toEqual(expected);
  });

  it('follows a link that is pasted into the address bar', async () => {
    await page.goto(`${play.address}#where=false&on=`);
    await expect.poll(summary).toContain('0 of 2,000 events match');
    expect(await seen(page.locator('#panel-segments'))).toContain('Write an expression under “Segment by”');
  });

  it('is used by keyboard alone', async () => {
    await page.locator('#where .cm-content').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('properties["plan"] == "team"', { delay: 5 });
    await expect.poll(summary).toContain(`${TEAM} of 2,000 events match`);
    await page.getByRole('tab', { name: 'Segments' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await seen(page.locator('[role=tab]:focus'))).toBe('Events');
    expect(await page.locator('#panel-events').isVisible()).toBe(true);
    await page.keyboard.press('End');
    expect(await page.locator('[role=tabpanel]:visible').getAttribute('id')).toBe('panel-tree');
    await page.keyboard.press('Home');
    expect(await page.locator('[role=tabpanel]:visible').getAttribute('id')).toBe('panel-segments');
  });

  it('turns the pages of the events that match, and of those that do not', async () => {
    await type(page, 'where', 'properties["plan"] == "team"');
    await expect.poll(summary).toContain(`${TEAM} of`);
    await page.getByRole('tab', { name: 'Events' }).click();
    const panel = page.locator('#panel-events');
    expect(await seen(panel)).toContain(`1–50 of ${TEAM}`);
    await panel.getByRole('button', { name: 'Next' }).click();
    await panel.getByText(`51–100 of ${TEAM}`).waitFor();
    await panel.getByLabel('Show').selectOption('not matching');
    await panel.getByText(`1–50 of ${grouped(2_000 - TEAM)}`).waitFor();
    const filter = (await cells(page, '#panel-events table')).map((row) => row[1]);
    expect(new Set(filter)).toEqual(new Set(['✗ false']));
  });
});
