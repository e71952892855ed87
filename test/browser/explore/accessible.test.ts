import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM, replaceExpression } from '../chromium.ts';
import { changeLook, drop, openChip, openEditor, type, visitExplorer } from './page.ts';
import { PlayTab } from './play-tab.ts';

/** Typical states of the page, and how to get there. */
const STATES: readonly [name: string, to: (page: Page) => Promise<unknown>][] = [
  ['on a first visit', async () => {}],
  [
    'with diagnostics',
    async (page) => {
      await type(page, 'where', 'properties["paln"] = "pro" && x < 5');
      await replaceExpression(await openEditor(page, 'on'), '1 < 2 < 3');
      await page.getByRole('dialog').locator('.messages li').first().waitFor();
    },
  ],
  [
    'with a table over time',
    async (page) => {
      await page.getByText('As a table').click();
      await page.getByRole('table', { name: 'Events by day' }).waitFor();
    },
  ],
  [
    'with events',
    async (page) => {
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByRole('button', { name: '#3', exact: true }).click();
      await page.getByRole('button', { name: '#4', exact: true }).hover();
    },
  ],
  [
    'with the tree of an event',
    async (page) => {
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByRole('button', { name: '#3', exact: true }).click();
      await page.getByRole('tab', { name: 'Tree' }).click();
    },
  ],
  [
    'with values of a property and a new condition',
    async (page) => {
      const properties = page.getByRole('region', { name: 'Properties' });
      await properties.locator('summary').filter({ hasText: 'plan' }).click();
      await properties.getByTitle('Filter by this value').first().waitFor();
      const popover = await openChip(page, 'Filter');
      await popover.getByRole('button', { name: 'category' }).click();
      await popover.getByRole('button', { name: 'garden' }).waitFor();
    },
  ],
  [
    'with a condition that is edited',
    async (page) => {
      await page.getByRole('button', { name: /^Condition: plan/ }).click();
      await page.getByRole('dialog', { name: 'Condition' }).locator('.cm-content').waitFor();
    },
  ],
  [
    'with a list of properties to group by',
    async (page) => {
      await (await openChip(page, 'By')).getByRole('button', { name: 'country' }).waitFor();
    },
  ],
  [
    'with the help',
    async (page) => {
      await page.getByRole('button', { name: 'Help' }).click();
    },
  ],
  [
    'with a failed query',
    async (page) => {
      await type(page, 'where', 'properties["plan"] and true');
      await page.getByRole('button', { name: /^Show event/ }).waitFor();
    },
  ],
  [
    'with broken records',
    async (page) => {
      await drop(page, 'a.ndjson', Buffer.from('no\n{}\n'));
      await page.getByRole('alert').getByText('1 broken record skipped').waitFor();
      await openChip(page, 'Source');
    },
  ],
  [
    'with the choices of a file, and names and values that no event has',
    async (page) => {
      await drop(page, 'a.csv', Buffer.from('created,who,kind\n2025-06-01,a,buy\n2025-06-02,b,sell\n'));
      await type(page, 'where', 'properties["kind"] == "buyy" and properties["wo"] == "a"');
      await page.getByRole('button', { name: 'Replace with "buy"' }).waitFor();
      await page.getByText('0 left, 2 removed').first().waitFor();
      await (await openChip(page, 'Source')).locator('summary').click();
    },
  ],
];

describe.skipIf(CHROMIUM === undefined)('exploring has no axe findings', () => {
  let tab: PlayTab;
  let page: Page;
  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());

  afterEach(() => tab.assertNoProblems());

  // Each theme at one width.
  const looks = [
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
  ] as const;
  it.each(STATES)('%s', async (_, to) => {
    await visitExplorer(page, tab.address, { colorScheme: 'dark' });
    await to(page);
    for (const look of looks) {
      const { width } = look;
      await changeLook(page, look);
      expect(await axeFindings(page), JSON.stringify(look)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      for (const popover of await page.getByRole('dialog').all()) {
        const { x = -1, width: wide = width, y = -1, height = 0 } = (await popover.boundingBox()) ?? {};
        expect([x >= 0, x + wide <= width], `popover from ${x}, ${wide} wide, at ${width} pixels`).toEqual([
          true,
          true,
        ]);
        if (width < 600) expect([y >= 0, y + height <= 900]).toEqual([true, true]);
      }
    }
  });
});
