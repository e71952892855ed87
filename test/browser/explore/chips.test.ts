import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHROMIUM, replaceExpression } from '../chromium.ts';
import { closePopover, findChip, openChip, press, readExpression, readLine, visit, visitExplorer } from './page.ts';
import { PlayTab } from './play-tab.ts';

const WHERE = 'properties["plan"] == "pro" and properties["country"] == "US"';

describe.skipIf(CHROMIUM === undefined)('the chips of a filter and a grouping', () => {
  let tab: PlayTab;
  let page: Page;
  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());
  const link = (where: string, on = '') => `${tab.address}#${new URLSearchParams({ where, on })}`;
  beforeEach(() => visitExplorer(page, link(WHERE)));
  afterEach(() => tab.assertNoProblems());

  const conditions = async () => {
    const chips = await page.getByRole('button', { name: /^Condition: / }).allInnerTexts();
    return chips.map((text) => text.replace(/\s+/g, ' ').replace('Condition: ', ''));
  };
  const focused = () => readLine(page.locator(':focus'));
  /** The filter in the link of the page, which shows it without leaving the chips. */
  const filter = () => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('where')?.replace(/\s+/g, ' ');

  it('adds a condition with the keyboard alone', async () => {
    await press(page, 'Add: Filter');
    await page.keyboard.press('Enter');
    const search = page.locator('input[type=search]:focus');
    await search.and(page.getByLabel('Search: Property')).waitFor();
    await page.keyboard.type('category');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
    await page.getByRole('dialog').getByText('garden').waitFor();
    await page.locator('[role=dialog] :is(input, button):focus').waitFor();
    while (!/^garden/.test(await focused())) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(conditions).toEqual(['plan is pro', 'country is US', 'category is garden']);
    await expect.poll(focused).toBe('filter');
  });

  it('keeps the focus in a popover while it loads, so that Escape closes it', async () => {
    await press(page, 'Add: Filter');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'category' }).click();
    await page.getByRole('dialog').getByText('has a value').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('filter');
  });

  it('moves the focus into an editor whose code is loaded when it is first shown', async () => {
    await page.getByRole('button', { name: 'Condition: plan' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('onwhere-filter');
  });

  it('keeps the focus nearby when a value is removed', async () => {
    await page.getByRole('button', { name: 'Remove: Condition' }).first().click();
    await expect.poll(conditions).toEqual(['country is US']);
    await expect.poll(focused).toBe('Condition: country is US');
    await page.getByRole('button', { name: 'Remove: Condition' }).click();
    await expect.poll(conditions).toEqual([]);
    await expect.poll(focused).toBe('filter');
    await visitExplorer(page, link(WHERE, 'properties["plan"]'));
    await page.getByRole('button', { name: 'Remove: By' }).click();
    await expect.poll(focused).toBe('by');
  });

  it('edits a condition that becomes several, each once', async () => {
    await page.getByRole('button', { name: 'Condition: plan' }).click();
    const editor = page.getByRole('dialog').getByRole('textbox', { name: 'Condition', exact: true });
    await replaceExpression(editor, 'properties["plan"] == "pro" and properties["age"] > 3');
    await page.keyboard.type('0');
    await expect.poll(conditions).toEqual(['plan is pro', 'age is more than 30', 'country is US']);
    await closePopover(page);
    await expect
      .poll(filter)
      .toBe('properties["plan"] == "pro" and properties["age"] > 30 and properties["country"] == "US"');
  });

  it('shows the condition of a link in a popover that was open before', async () => {
    const editor = () => readLine(page.getByRole('dialog').locator('.cm-content'));
    await page.getByRole('button', { name: 'Condition: plan' }).click();
    await replaceExpression(
      page.getByRole('dialog').getByRole('textbox', { name: 'Condition' }),
      'properties["plan"] ==',
    );
    await closePopover(page);
    await page.goto(link('properties["age"] > 3'));
    await page.getByRole('button', { name: 'Condition: age' }).click();
    await expect.poll(editor).toBe('properties["age"] > 3');
  });

  it('shows text when no chips can', async () => {
    await visit(page, link('properties["plan"] ='));
    await page.getByText('Query failed: see the error in the question.').waitFor();
    expect(await page.getByRole('button', { name: 'Chips' }).isDisabled()).toBe(true);
    expect(await readExpression(page, 'where')).toBe('properties["plan"] =');
  });

  it('shows the filters of all tabs as text once someone prefers it', async () => {
    const mode = page.getByRole('group', { name: 'Filter as' }).getByRole('button', { pressed: true });
    await expect.poll(() => readLine(mode)).toBe('Chips');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    for (const name of ['Trends', 'Explore']) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await expect.poll(() => readLine(mode)).toBe('Text');
    }
  });

  it('says that no event has the property of a grouping', async () => {
    await visitExplorer(page, link('', 'properties["contry"]'));
    await page.getByText('No record has the property "contry".').waitFor();
    await findChip(page, 'By').click();
    await page.getByRole('button', { name: 'Replace with properties["country"]' }).click();
    await expect.poll(() => readLine(findChip(page, 'By'))).toBe('By: country');
    await expect.poll(() => page.getByText('No record has').count()).toBe(0);
  });

  it.each([
    ['not properties["plan"] == "pro"', 'not plan is pro'],
    [
      'not (properties["plan"] == "pro" or properties["country"] == "US") and properties["age"] > 9',
      'not (plan is pro or country is US)',
      'age is more than 9',
    ],
    [
      'properties["age"] > 9 or properties["plan"] == "pro" and not properties["tags"]',
      'age is more than 9',
      'plan is pro and not properties["tags"]',
    ],
    [
      'not (properties["age"] > 9 and (properties["plan"] == "pro" or properties["country"] == "US"))',
      'not (age is more than 9 and (plan is pro or country is US))',
    ],
  ])('reads %s in words', async (where, ...shown) => {
    await visitExplorer(page, link(where));
    await expect.poll(conditions).toEqual(shown);
  });

  it('takes an example of the help as the filter', async () => {
    await page.keyboard.press('?');
    await page
      .getByRole('dialog', { name: 'Help' })
      .getByRole('button', { name: '"gmail" in properties["email"]' })
      .click();
    await expect.poll(filter).toBe('"gmail" in properties["email"]');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it.each([390, 640])('keeps popovers inside of a window of %i pixels', async (width) => {
    await visitExplorer(page, link(WHERE), { width });
    for (const label of ['By', 'Filter', 'Source', 'Condition']) {
      const popover = await (label === 'Condition'
        ? page
            .getByRole('button', { name: /^Condition: country/ })
            .click()
            .then(() => page.getByRole('dialog'))
        : openChip(page, label));
      const { x = -1, width: wide = width } = (await popover.boundingBox()) ?? {};
      expect([label, x >= 0, x + wide <= width]).toEqual([label, true, true]);
      await closePopover(page);
    }
  });
});
