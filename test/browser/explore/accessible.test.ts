import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Play, startPlay } from '../../web/explore/play.ts';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM, launchChromium } from '../chromium.ts';
import { drop, openTab, type, visitExplorer } from './page.ts';

/** Typical states of the page, and how to get there. */
const STATES: readonly [name: string, to: (page: Page) => Promise<unknown>][] = [
  ['on a first visit', async () => {}],
  [
    'with diagnostics',
    async (page) => {
      await type(page, 'where', 'properties["paln"] = "pro" && x < 5');
      await type(page, 'on', '1 < 2 < 3');
      await page.locator('#on .messages li').first().waitFor();
    },
  ],
  [
    'with a table over time',
    async (page) => {
      await page.getByText('by day as a table').click();
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
      await page.getByText('1 broken record skipped').waitFor();
    },
  ],
  [
    'with the choices of a file, and names and values that no event has',
    async (page) => {
      await drop(page, 'a.csv', Buffer.from('created,who,kind\n2025-06-01,a,buy\n2025-06-02,b,sell\n'));
      await page.locator('#reading summary').click();
      await type(page, 'where', 'properties["kind"] == "buyy" and properties["wo"] == "a"');
      await page.getByRole('button', { name: 'Replace with "buy"' }).waitFor();
      await page.getByText('0 left, 2 removed').first().waitFor();
    },
  ],
];

describe.skipIf(CHROMIUM === undefined)('exploring has no axe findings', () => {
  let play: Play;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [play, browser] = await Promise.all([startPlay([], tmpdir()), launchChromium()]);
    page = (await openTab(browser, play.address)).page;
  });
  afterAll(async () => {
    await browser.close();
    await play.stop();
  });

  it.each(STATES)('%s', async (_, to) => {
    await visitExplorer(page, play.address, { colorScheme: 'dark' });
    await to(page);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await axeFindings(page), `${colorScheme}, ${width} pixels`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    }
  });
});
