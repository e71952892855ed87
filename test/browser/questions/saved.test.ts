import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialog, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import { closePopover, drop, openChip, visit } from '../explore/page.ts';
import { PlayTab } from '../explore/play-tab.ts';

describe.skipIf(CHROMIUM === undefined)('users and saved questions', () => {
  let tab: PlayTab;
  let page: Page;

  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());

  const headline = () => page.getByText('650 of 1,667 users');

  beforeEach(async () => {
    await visit(page, `${tab.address}#query=funnels`);
    // Until then, chips move, and a click on one can miss it.
    await headline().waitFor();
  });
  afterEach(() => tab.assertNoProblems());

  it('opens the users who left, the events of one with the reasons of the filter, and goes back', async () => {
    await visit(
      page,
      `${tab.address}#${new URLSearchParams({ query: 'funnels', where: 'properties["plan"] == "pro"' })}`,
    );
    await page.getByRole('button', { name: /leave/ }).first().click();
    await page.getByRole('heading', { name: 'Users who left after “view product”' }).waitFor();
    const users = page.locator('.user-list').getByRole('button');
    const id = (await users.first().textContent()) ?? '';
    await users.first().click();
    await page.getByRole('heading', { name: id }).waitFor();
    await page.locator('.timeline summary').first().click();
    await expect.poll(() => page.locator('.timeline .reasons').first().textContent()).toMatch(/plan/);
    expect(await axeFindings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Users who left after “view product”' }).waitFor();
    await page.getByRole('button', { name: 'Back to the answer' }).click();
    await page.getByRole('button', { name: /leave/ }).first().waitFor();
  });

  // biome-ignore format: a table with one number per row
  const NUMBERS = [
    ['the headline', 'query=segmentation&event=purchase', () => page.locator('.headline-number button')],
    ['the headline of several events', 'query=events', () => page.locator('.headline-number button')],
    ['a value', 'query=properties&event=purchase&name=plan', () => page.locator('.answer table').getByRole('button', { name: /^[\d,]+$/ }).first()],
    ['a sum', 'query=sum&event=purchase&on=number(properties[%22amount%22])', () => page.locator('.headline-number button')],
    ['a range', 'query=numeric&event=purchase&on=number(properties[%22amount%22])', () => page.getByRole('row', { name: /^\d+–\d+/ }).getByRole('button').first()],
    ['a day', 'query=segmentation&event=purchase', () => page.getByRole('row', { name: /^Sun, 1 June/ }).getByRole('button').first()],
    ['the first and the last step of a funnel', 'query=funnels', () => page.getByRole('heading').getByRole('button', { name: '650' })],
    ['the size of a cohort', 'query=retention', () => page.getByRole('table', { name: 'Cohorts by date' }).getByRole('button', { name: /^\d+$/ }).first()],
  ] as const;

  it.each(NUMBERS)('opens the users behind %s', async (_, link, number) => {
    await visit(page, `${tab.address}#${link}`);
    const table = page.getByText('As a table').first();
    await table.or(number()).first().waitFor();
    if ((await number().count()) === 0) await table.click();
    await number().click();
    await page.getByRole('heading', { name: /^Users/ }).waitFor();
    await page.locator('.user-list').getByRole('button').first().waitFor();
  });

  it('keeps a question in the browser, shows it on a board, and takes a removal back', async () => {
    const saved = () => page.getByRole('dialog', { name: 'Saved questions' });
    const open = () => page.getByRole('button', { name: 'Saved questions' }).click();
    await open();
    await saved().getByLabel('Name of the question').fill('Buying');
    await saved().getByRole('button', { name: 'Save', exact: true }).click();
    await saved().getByRole('link', { name: 'Buying' }).waitFor();
    await page.reload();
    await headline().waitFor();
    await open();
    await saved().getByRole('button', { name: 'Remove: Buying' }).click();
    await saved().getByRole('link', { name: 'Buying' }).waitFor({ state: 'detached' });
    await saved().getByRole('button', { name: 'Undo' }).click();
    await saved().getByRole('link', { name: 'Board of 1 question' }).click();
    await page.getByRole('region', { name: 'Buying' }).getByText('650 of 1,667 users').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  const chip = () => page.getByRole('button', { name: /^Saved questions: / });
  const saved = () => page.getByRole('dialog', { name: 'Saved questions' });
  const save = async (name: string, button = 'Save') => {
    const popover = await openChip(page, 'Saved questions');
    await popover.getByLabel('Name of the question').fill(name);
    await popover.getByRole('button', { name: button, exact: true }).click();
    await closePopover(page);
  };
  const expectChip = (text: string) => expect.poll(() => chip().textContent()).toBe(`Saved questions: ${text}`);
  const chooseDates = async (days: number) => {
    await page.getByRole('button', { name: /^Dates: / }).click();
    await page.getByRole('button', { name: `Last ${days} days` }).click();
  };

  it('says that a saved question is changed, keeps the change for Back, for a reload, and saves it', async () => {
    const dialogs: string[] = [];
    const answer = (dialog: Dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    };
    page.on('dialog', answer);
    await save('Buying');
    await expectChip('Buying ');
    await chooseDates(7);
    await expectChip('Buying changed');
    // At once: the link has no time to follow the change.
    await page.getByRole('link', { name: 'Retention' }).click();
    await expectChip('Saved ');
    await page.goBack();
    await expectChip('Buying changed');
    await page.reload();
    await expectChip('Buying changed');
    const changed = page.url();
    await openChip(page, 'Saved questions');
    await saved().getByRole('link', { name: 'Buying' }).click();
    await expectChip('Buying ');
    await headline().waitFor();
    await page.goBack();
    await expectChip('Buying changed');
    expect(page.url()).toBe(changed);
    await save('Buying', 'Replace');
    await expectChip('Buying ');
    page.off('dialog', answer);
    expect(dialogs).toEqual([]);
  });

  it('takes back what an example of the help and another file replace', async () => {
    const where = 'properties["plan"] == "pro"';
    await visit(page, `${tab.address}#${new URLSearchParams({ query: 'funnels', where })}`);
    const condition = page.getByRole('button', { name: /^Condition: plan/ });
    await condition.waitFor();
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('button', { name: 'not defined(properties["coupon"])' }).click();
    await page.getByRole('button', { name: /^Condition: coupon/ }).waitFor();
    await page.goBack();
    await condition.waitFor();
    await drop(page, 'a.ndjson', Buffer.from('{"event":"a","properties":{"time":1750000000,"distinct_id":"x"}}'));
    const source = page.getByRole('button', { name: 'Source: a.ndjson 1 events' });
    await source.click();
    await page.getByRole('button', { name: 'Use sample data' }).click();
    await page.getByRole('button', { name: /^Source: .*20,000 events/ }).waitFor();
    await page.getByRole('button', { name: 'Back to a.ndjson' }).click();
    await source.waitFor();
  });

  it('says which questions a board replaces, and takes it back', async () => {
    await save('Buying');
    const before = await page.evaluate(() => localStorage.getItem('onwhere-saved-questions'));
    const board = [
      { name: 'Buying', link: 'query=retention' },
      { name: 'New', link: 'query=addiction' },
    ];
    await page.goto(`${tab.address}#${new URLSearchParams({ board: JSON.stringify(board) })}`);
    await page.getByText('and replace 1 question of the same name').waitFor();
    await page.getByRole('button', { name: 'Keep its questions in this browser' }).click();
    await page.getByText('1 question saved, 1 question replaced.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('and replace 1 question of the same name').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('onwhere-saved-questions'))).toBe(before);
  });

  it('keeps what another tab saves, and refuses more than it can store', async () => {
    const other = await page.context().newPage();
    await other.goto(tab.address);
    await save('Here');
    const full = Array.from({ length: 99 }, (_, at) => ({ name: `${at}`, link: 'query=people' }));
    await other.evaluate((questions) => {
      const known = JSON.parse(localStorage.getItem('onwhere-saved-questions') ?? '[]');
      localStorage.setItem('onwhere-saved-questions', JSON.stringify([...known, ...questions]));
    }, full);
    await other.close();
    await openChip(page, 'Saved questions');
    await saved().getByRole('link', { name: 'Board of 100 questions' }).waitFor();
    await closePopover(page);
    await save('One more');
    await openChip(page, 'Saved questions');
    await saved().getByText('A browser keeps at most 100 questions').waitFor();
    await saved().getByRole('link', { name: 'Here' }).waitFor();
  });

  it('only asks before the page is closed if the browser could not store a question', async () => {
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('Full', 'QuotaExceededError');
      };
    });
    await save('Buying');
    await openChip(page, 'Saved questions');
    await saved().getByText('The browser cannot store them').waitFor();
    await page.reload();
    expect(dialogs).toEqual(['beforeunload']);
  });

  it('takes questions from a file, and says if it has none', async () => {
    await page.getByRole('button', { name: 'Saved questions' }).click();
    const file = page.getByLabel('File with questions');
    const create = (text: string) => ({
      name: 'questions.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await file.setInputFiles(create('{"name":"x"}'));
    await page.getByText('This file has no saved questions.').waitFor();
    await file.setInputFiles(create('[{"name":"From a file","link":"query=retention"}]'));
    await page.getByRole('link', { name: 'From a file' }).waitFor();
  });
});

/** At 23:30 and 01:30 in New York, which is 04:30 and 06:30 of one day in UTC. */
const HISTORY = `${[
  ...[1735705800, 1735713000].map((time) => ({ event: 'buy', properties: { time, distinct_id: 'ada' } })),
  { $distinct_id: 'ada', $properties: { tier: 'gold' } },
]
  .map((record) => JSON.stringify(record))
  .join('\n')}\n`;

describe.skipIf(CHROMIUM === undefined)('the events of a user', () => {
  let tab: PlayTab;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-history-'));
    writeFileSync(join(folder, 'a.ndjson'), HISTORY);
    tab = await PlayTab.start(['--time-zone=America/New_York', 'a.ndjson'], folder);
  });
  afterAll(async () => {
    await tab.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['properties["time"] < datetime("2025-01-01")', ['✓ matches', '✗ does not match']],
    ['user["tier"] == "gold"', ['✓ matches', '✓ matches']],
  ])('have their days, and match %s, as the question has it', async (where, marks) => {
    const { page } = tab;
    await visit(page, `${tab.address}#${new URLSearchParams({ query: 'segmentation', event: 'buy', where })}`);
    await page.locator('.headline-number button').click();
    await page.locator('.user-list').getByRole('button', { name: 'ada' }).click();
    await expect
      .poll(() => page.locator('.timeline h3').allTextContents())
      .toEqual(['Tue, 31 December 2024', 'Wed, 1 January 2025']);
    const events = page.locator('.timeline summary');
    expect(await events.locator('time').allTextContents()).toEqual(['23:30:00', '01:30:00']);
    expect(await events.locator('span').allTextContents()).toEqual(marks);
    tab.assertNoProblems();
  });
});
