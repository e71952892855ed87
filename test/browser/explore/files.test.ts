import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runProcess } from '../../cli/cli-process.ts';
import { runCli } from '../../cli/run-cli.ts';
import { CHROMIUM, launchChromium } from '../chromium.ts';
import {
  closePopover,
  drop,
  findChip,
  openChip,
  openTab,
  readCells,
  readExpression,
  readLine,
  readSource,
  readText,
  type Tab,
  type,
  visitExplorer,
} from './page.ts';

const PAGE = new URL('../../../dist/page/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const EVENTS = Array.from({ length: 300 }, (_, index) => ({
  event: index % 3 === 0 ? 'buy' : 'view',
  properties: {
    time: 1_750_000_000 + index * 7_200,
    distinct_id: `u${index % 40}`,
    plan: ['free', 'pro', null][index % 3],
  },
}));
const NDJSON = EVENTS.map((event) => `${JSON.stringify(event)}\n`).join('');
const CSV = `event,distinct_id,time,plan\r\n${EVENTS.map(
  ({ event, properties: { distinct_id, time, plan } }) => `${event},${distinct_id},${time},${plan ?? ''}\r\n`,
).join('')}`;

/** Serves the files of a folder below a path, like any static file server. */
function serveStatically(): Promise<Server> {
  const server = createServer(async ({ url = '' }, response) => {
    const path = url.replace(/^\/any\/where\//, '').replace(/\?.*/, '') || 'index.html';
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    try {
      response.writeHead(200, { 'Content-Type': type }).end(await readFile(new URL(path, PAGE)));
    } catch {
      response.destroy();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe.skipIf(CHROMIUM === undefined)('the page as static files', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let address: string;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-files-'));
    [server, browser] = await Promise.all([serveStatically(), launchChromium()]);
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/any/where/`;
    tab = await openTab(browser, address);
    page = tab.page;
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  afterEach(() => {
    expect(tab.problems.splice(0)).toEqual([]);
  });

  const reading = () => readSource(page);
  const summary = () => readLine(page.locator('#summary'));

  describe('on a first visit', () => {
    beforeEach(() => visitExplorer(page, `${address}#where=true&on=`));

    it('shows the sample that `onwhere demo` writes', async () => {
      await runProcess(['demo'], { cwd: folder });
      const where = 'properties["category"] == "garden" and user["x"] == properties["y"]';
      const { out } = await runCli(['count', where, join(folder, 'shop.ndjson')]);
      await type(page, 'where', where);
      await expect.poll(summary).toContain(`${Number(out).toLocaleString('en-US')} of 20,000 events match`);
    });

    it('opens a chosen file, and the sample again', async () => {
      const chooser = page.waitForEvent('filechooser');
      const popover = await openChip(page, 'Source');
      await popover.getByRole('button', { name: 'Open file' }).click();
      await (await chooser).setFiles({ name: 'my.ndjson', mimeType: '', buffer: Buffer.from('{"a":1}\n') });
      await expect.poll(reading).toContain('my.ndjson: 1 event Only “Explore” counts 1 event without a time');
      await expect.poll(summary).toContain('1 of 1 event matches (100%)');
      await popover.getByRole('button', { name: 'Use sample data' }).click();
      await expect.poll(reading).toBe('shop.ndjson: 20,000 events');
    });

    it('suggests expressions for other events until someone edits them', async () => {
      await visitExplorer(page, address);
      await expect.poll(reading).toBe('shop.ndjson: 20,000 events');
      await drop(page, 'my.ndjson', Buffer.from('{"kind":"a"}\n{"kind":"b"}\n'.repeat(9)));
      await expect.poll(summary).toContain('18 of 18 events match (100%)');
      expect(await readLine(findChip(page, 'By'))).toBe('By: kind');
      await type(page, 'where', 'properties["kind"] == "a"');
      await (await openChip(page, 'Source')).getByRole('button', { name: 'Use sample data' }).click();
      await expect.poll(summary).toContain('0 of 20,000 events match');
      expect(await readLine(findChip(page, 'By'))).toBe('By: kind');
    });

    it('shows hostile data as plain text', async () => {
      const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
      const bidi = 'a\u202eb';
      const event = {
        event: html,
        properties: { [html]: html, [bidi]: bidi, time: 1_750_000_000, long: 'x'.repeat(1_000_000) },
      };
      await drop(page, `${html}${bidi}.ndjson`, Buffer.from(`${JSON.stringify(event)}\n${html}\n`));
      await expect.poll(reading).toContain('1 broken record skipped');
      await closePopover(page);
      await type(page, 'where', `properties[${JSON.stringify(html)}] == ${JSON.stringify(html)}`);
      await type(page, 'on', 'properties["long"]');
      await expect.poll(summary).toContain('1 of 1 event matches');
      await type(page, 'on', `properties["a\\u202eb"] + ${JSON.stringify(html)}`);
      const segments = page.getByRole('table', { name: 'Total' });
      await expect.poll(() => readText(segments)).toContain(html);
      await page.getByRole('button', { name: 'Chips' }).click();
      await expect.poll(() => readText(page.getByRole('button', { name: /^Condition: / }))).toContain(html);
      const properties = page.getByRole('region', { name: 'Properties' });
      await properties.getByLabel('Search properties').fill('img');
      await properties.locator('summary').click();
      await expect.poll(() => readLine(properties.getByTitle('Filter by this value'))).toBe(`${html} 1`);
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByRole('button', { name: '#1' }).click();
      await page.getByRole('tab', { name: 'Tree' }).click();
      await page.getByText('On event #1').click();
      expect(await readText(page.getByRole('tabpanel', { name: 'Tree' }))).toContain(JSON.stringify(html));
      expect(await page.title()).toBe('Explore · onwhere');
      expect(await page.locator('img, body script').count()).toBe(0);
      expect(await page.locator('body').innerHTML()).not.toContain('\u202e');
    });

    it('shows an expression from a link as plain text', async () => {
      await page.goto(`${address}#where=${encodeURIComponent('"<img src=x onerror=alert(1)>" == <b>')}`);
      await expect.poll(() => readExpression(page, 'where')).toContain('<img src=x');
      expect(await page.locator('img[src], onwhere-filter b').count()).toBe(0);
    });
  });

  describe('with one file after another', () => {
    beforeAll(() => visitExplorer(page, address));
    beforeEach(async () => {
      await page.goto(`${address}#where=true&on=`);
      await drop(page, 'before.ndjson', Buffer.from('{"a":1}\n{"a":2}\n{"a":3}\n'));
      await expect.poll(summary).toContain('3 of 3 events match');
    });

    it.each([
      ['events.ndjson', Buffer.from(NDJSON)],
      ['events.json', Buffer.from(JSON.stringify(EVENTS, undefined, 2))],
      ['events.csv', Buffer.from(CSV)],
      ['events', Buffer.from(CSV)],
      ['events.csv.gz', gzipSync(CSV)],
      ['events.ndjson.gz', gzipSync(NDJSON)],
    ])('reads a dropped %s like the command line', async (name, content) => {
      writeFileSync(join(folder, name), content);
      const where = 'properties["plan"] == "pro" or not defined(properties["plan"])';
      const args = ['segment', 'properties["plan"]', join(folder, name), '--where', where, '--json'];
      const { segments } = JSON.parse((await runCli(args)).out);
      await drop(page, name, content);
      await expect.poll(reading).toBe(`${name}: 300 events`);
      await type(page, 'where', where);
      await type(page, 'on', 'properties["plan"]');
      const table = page.getByRole('table', { name: 'Total' });
      const shown = async () => (await readCells(table)).map((row) => row.slice(0, 2));
      const expected = segments.map((segment: { name: string; count: number }) => [
        segment.name,
        String(segment.count),
      ]);
      await expect.poll(shown).toEqual(expected);
    });

    it.each([
      ['empty.ndjson', '', 'empty.ndjson: 0 events'],
      ['empty.csv', '', 'empty.csv: 0 events'],
      ['a.ndjson', '{"a":1}\nno\n[1]\n{"a":2}', '2 events 2 broken records skipped: a.ndjson:2: not JSON'],
      ['a.ndjson', 'no\n'.repeat(12), '0 events 12 broken records skipped:'],
      ['a.csv', 'a,b\n1\n1,2\n', '1 event 1 broken record skipped: a.csv:2: 1 cell instead of 2'],
      ['a.csv', 'a,b\n1,2\n3,"', '1 event a.csv:3: an unclosed quote'],
      ['a.json', '[{"a":1},{"a":', '1 event a.json:1: the file ends within this element'],
      ['a.png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff', 'a.png: 0 events a.png: this is an image. onwhere reads'],
      ['a.gz', '\x1f\x8b\x08no', '0 events a.gz: the gzip data is damaged or cut off'],
    ])('reports the problems of %s: %o', async (name, content, expected) => {
      await drop(page, name, Buffer.from(content, 'latin1'));
      await expect.poll(reading).toContain(expected);
      const [, events] = /(\d+) event/.exec(expected) ?? [];
      await expect
        .poll(summary)
        .toMatch(events === '0' ? /^There are no events\./ : new RegExp(`of ${events} events? match`));
    });
  });
});
