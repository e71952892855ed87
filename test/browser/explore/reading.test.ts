import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import {
  drop,
  openChip,
  readCells,
  readExpression,
  readLine,
  readSource,
  readText,
  type,
  visitExplorer,
} from './page.ts';
import { PlayTab } from './play-tab.ts';

const ORDERS = [
  'Order;Created (UTC);Shipped at;Customer;Kind;City',
  '1;2025-06-01T10:00:00Z;2025-06-03T10:00:00Z;ann@example.com;purchase;Orl\xe9ans',
  '2;2025-06-01T11:00:00Z;2025-06-03T11:00:00Z;bob@example.com;purchase;Paris',
  '3;2025-06-02T12:00:00Z;2025-06-03T12:00:00Z;ann@example.com;refund;Paris',
].join('\n');

const NESTED = [
  { event: 'signup', properties: { time: 1_750_000_000, distinct_id: 'a', geo: { country: 'DE' } } },
  { event: 'signup', properties: { time: 1_750_000_001, distinct_id: 'b', geo: { country: 'FR' } } },
  { event: 'login', properties: { time: 1_750_000_002, distinct_id: 'b', geo: { country: 'FR' } } },
];

describe.skipIf(CHROMIUM === undefined)('reading a file on the page', () => {
  let tab: PlayTab;
  let page: Page;

  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());
  beforeEach(() => visitExplorer(page, `${tab.address}#where=true&on=`));
  afterEach(() => tab.assertNoProblems());

  const source = () => openChip(page, 'Source');
  const reading = async () => readLine((await source()).locator('summary'));
  const progress = () => readSource(page);
  const summary = () => readLine(page.locator('#summary'));
  const findings = () => readText(page.locator('onwhere-filter .messages'));
  const counts = () => readText(page.getByRole('group').filter({ hasText: 'What each part' }));
  const segments = async (title = 'Total') =>
    (await readCells(page.getByRole('table', { name: title }))).map((row) => row.slice(0, 2));
  /** Returns a choice of how the file is read. */
  const choice = async (name: string) => {
    const popover = await source();
    const found = popover.getByRole('combobox', { name, exact: true });
    if (!(await found.isVisible())) await popover.locator('summary').click();
    return found;
  };
  const latin1 = Buffer.from(ORDERS, 'latin1');

  it('says nothing about the sample', async () => {
    expect(await progress()).toBe('shop.ndjson: 20,000 events');
    expect(await (await source()).locator('summary').count()).toBe(0);
  });

  it('guesses the columns, and reads the file again with those that someone chooses', async () => {
    await drop(page, 'orders.csv', Buffer.from(ORDERS, 'utf8'));
    await expect.poll(reading).toBe('time: Created (UTC) (ISO), user: Customer, event: none');
    await type(page, 'on', 'properties["City"]');
    await expect.poll(segments).toEqual([
      ['Paris', '2'],
      ['Orléans', '1'],
    ]);
    await (await choice('Event')).selectOption('Kind');
    await expect.poll(reading).toBe('time: Created (UTC) (ISO), user: Customer, event: Kind');
    await type(page, 'on', 'properties["$event"]');
    await expect.poll(segments).toEqual([
      ['purchase', '2'],
      ['refund', '1'],
    ]);
    await type(page, 'on', 'properties["City"]');
    await page.getByRole('combobox', { name: 'Count', exact: true }).selectOption('users');
    await expect
      .poll(() => segments('Unique users'))
      .toEqual([
        ['Paris', '2'],
        ['Orléans', '1'],
      ]);
    await (await choice('User')).selectOption('none');
    await expect.poll(reading).toBe('time: Created (UTC) (ISO), user: none, event: Kind');
    await (await choice('Time')).selectOption('Order');
    await expect.poll(reading).toBe('time: Order (seconds), user: none, event: Kind');
    await (await choice('Time')).selectOption('guess');
    await expect.poll(reading).toBe('time: Created (UTC) (ISO), user: none, event: Kind');
    await (await source()).getByRole('button', { name: 'Use sample data' }).click();
    await expect.poll(async () => (await source()).locator('summary').count()).toBe(0);
  });

  it('reads text in another encoding', async () => {
    await drop(page, 'orders.csv', latin1);
    await expect.poll(progress).toContain('1 broken record skipped');
    await (await choice('Encoding')).selectOption('Latin-1');
    await expect.poll(progress).toBe('orders.csv: 3 events No event has a name, so all are called “record”.');
    await type(page, 'where', 'properties["City"] == "Orléans"');
    await expect.poll(summary).toContain('1 of 3 events matches');
  });

  it('reads CSV without a header row, and decimal commas', async () => {
    await drop(page, 'sums.csv', Buffer.from('2025-06-01;ann;1,5\n2025-06-02;bob;20\n'));
    await (await choice('First row')).selectOption('a record');
    await expect.poll(progress).toContain('sums.csv: 2 events');
    await (await choice('Numbers')).selectOption('as 1,5');
    await type(page, 'where', 'properties["column3"] > 1');
    await expect.poll(summary).toContain('2 of 2 events match');
  });

  it('offers the lists inside of a single object', async () => {
    const items = [1, 2].map((time) => ({ event: 'view', properties: { time, distinct_id: 'u', plan: 'pro' } }));
    const answer = { page: { items, links: [{ rel: 'next' }] }, total: 2 };
    await drop(page, 'answer.json', Buffer.from(JSON.stringify(answer)));
    await expect.poll(progress).toContain('answer.json: 1 event');
    await (await choice('Records')).selectOption('page.items');
    await expect.poll(progress).toBe('answer.json: 2 events');
    await type(page, 'where', 'properties["plan"] == "pro"');
    await expect.poll(summary).toContain('2 of 2 events match');
    await (await choice('Records')).selectOption('guess');
    await expect.poll(progress).toContain('answer.json: 1 event');
  });

  it('reads dates in a time zone', async () => {
    const time = Date.parse('2025-05-31T22:30:00Z') / 1000;
    await drop(page, 'zone.ndjson', Buffer.from(`{"event":"a","properties":{"time":${time},"distinct_id":"u"}}\n`));
    await expect.poll(progress).toBe('zone.ndjson: 1 event');
    await type(page, 'where', 'properties["time"] >= datetime("2025-06-01")');
    await expect.poll(summary).toContain('0 of 1 event match');
    await (await choice('Time zone')).selectOption('Europe/Berlin');
    await expect.poll(summary).toContain('1 of 1 event matches');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('cell', { name: '2025-06-01 00:30:00' }).waitFor();
  });

  it('offers the delimiter and the encoding of a file that it refuses', async () => {
    await drop(page, 'notes.txt', Buffer.from('2025-06-01 10:00:00 started#1\n2025-06-01 10:00:01 ended#2\n'));
    await expect.poll(progress).toContain('notes.txt: this looks like a log.');
    expect(await progress()).toContain('If it is CSV, choose its delimiter under “Source”.');
    expect(await readText(page.getByRole('alert'))).toContain('notes.txt: this looks like a log.');
    await page.getByRole('combobox', { name: 'Delimiter' }).selectOption('vertical bar');
    await expect.poll(progress).toContain('notes.txt: 1 event');
  });

  it('says how to open a file that no browser reads', async () => {
    await drop(page, 'rides.parquet', Buffer.from('PAR1\x15\x04\x15\x10\x15', 'latin1'));
    await expect
      .poll(progress)
      .toContain('this is a Parquet file. A browser cannot read it. Open it with: onwhere play <file>.');
  });

  it('shows the choice of the time if several columns could be it', async () => {
    await drop(page, 'a.csv', Buffer.from('begunAt,endedAt\n2025-06-01,2025-06-02\n2025-06-01,2025-06-03\n'));
    await expect.poll(reading).toBe('time: none (begunAt or endedAt: choose one below), user: none, event: none');
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('endedAt');
    await expect.poll(reading).toBe('time: endedAt (ISO), user: none, event: none');
  });

  it('reads nested objects as properties on request', async () => {
    await drop(page, 'nested.ndjson', Buffer.from(NESTED.map((event) => JSON.stringify(event)).join('\n')));
    await expect.poll(reading).toBe('time: time (seconds), user: distinct_id, event: event');
    await (await source()).locator('summary').click();
    const flatten = page.getByRole('checkbox', { name: 'Read nested objects as properties' });
    expect(await readLine(flatten.locator('..'))).toContain('as properties["geo.country"]');
    await flatten.click();
    await expect.poll(() => readLine(page.getByRole('region', { name: 'Properties' }))).toContain('geo.country');
    expect(await flatten.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await flatten.isChecked()).toBe(true);
    await type(page, 'on', 'properties["geo.country"]');
    await expect.poll(segments).toEqual([
      ['FR', '2'],
      ['DE', '1'],
    ]);
  });

  it('names what no event has with the nearest name and its count, and replaces it on a click', async () => {
    await type(page, 'where', 'properties["plam"] == "pro" or properties["plam"] == "team"');
    await expect.poll(findings).toContain('No record has the property "plam". Did you mean "plan" (20,000 records)?');
    expect(await findings()).not.toContain('not a known property');
    await page.getByRole('button', { name: 'Replace with properties["plan"]' }).click();
    const fixed = 'properties["plan"] == "pro" or properties["plan"] == "team"';
    await expect.poll(() => readExpression(page, 'where')).toBe(fixed);
    await expect.poll(findings).not.toContain('No record');
    await type(page, 'where', 'properties["plan"] in ["pro", "teem"]');
    await expect
      .poll(findings)
      .toMatch(/"teem" never occurs in properties\["plan"\]\. Did you mean "team" \([\d,]+\)\?/);
    await page.getByRole('button', { name: 'Replace with "team"' }).click();
    await expect.poll(findings).not.toContain('never occurs');
    await type(page, 'where', 'properties["$event"] == "purchse"');
    await expect.poll(findings).toContain('Did you mean "purchase"');
  });

  it('shows how many events each part of the filter removes if none is left', async () => {
    await type(page, 'where', 'properties["plan"] == "pro" and properties["country"] == "XX"');
    await expect.poll(counts).toMatch(/^What each part[^\n]*\n20,000 events\nand 0 left, 20,000 removed\n/);
    expect(await counts()).toMatch(/properties\["plan"\] == "pro" [\d,]+ left, [\d,]+ removed/);
    expect(await counts()).toContain('Each part of an and sees the records that the part above it leaves.');
    await type(page, 'where', 'properties["plan"] == "pro"');
    await expect.poll(counts).toBe('What each part of the filter removes');
    await page.getByText('What each part of the filter removes').click();
    await expect.poll(counts).toMatch(/20,000 events\nproperties\["plan"\] == "pro" [\d,]+ left, [\d,]+ removed$/);
    await type(page, 'where', 'true');
    await expect.poll(counts).toContain('true 20,000 left, 0 removed');
  });
});
