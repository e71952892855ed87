import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../eventually.ts';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import { readText } from '../explore/page.ts';
import { SECRET } from './fake-api.ts';
import { DATES, ServerTab } from './server-tab.ts';

describe.skipIf(CHROMIUM === undefined)('beside the questions of a server', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
  });
  afterAll(() => tab.stop());
  beforeEach(() => tab.visitAnswer());
  afterEach(() => tab.assertNoProblems());

  const events = () => tab.page.getByRole('region', { name: 'Events', exact: true });
  const properties = () => tab.page.getByRole('region', { name: 'Properties', exact: true });
  const filter = () => tab.page.getByRole('group', { name: 'Filter as' }).locator('..');

  it('the events of the data have lines, and a click counts one', async () => {
    expect(await events().getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^view item\s+12$/),
      expect.stringMatching(/^purchase\s+7$/),
      expect.stringMatching(/^\$experiment\s+1$/),
    ]);
    expect(await events().locator('polyline').count()).toBe(3);
    await events().getByRole('button', { name: 'purchase' }).click();
    await tab.expectAsked('segmentation', { event: 'purchase', ...DATES });
    await tab.open('Funnels');
    await tab.expectAsked('funnels', {});
    await events().getByRole('button', { name: '$experiment' }).click();
    await tab.expectAsked('segmentation', { event: '$experiment' });
    await tab.page.goBack();
    await tab.expectAsked('funnels', {});
  });

  it('the source lists the datasets, and opens a file and the server again', async () => {
    expect(await readText(tab.chip('Source'))).toMatch(/20 events/);
    const source = await tab.openChip('Source');
    await expect
      .poll(() => tab.readRows(source.getByRole('table', { name: 'Datasets' })))
      .toEqual([
        ['shop', 'b2', '2025-06-04 05:06:07', ''],
        ['shop', 'a1', '2025-06-03 05:06:07', 'yes'],
        ['app', 'no version yet', '', ''],
      ]);
    await source.getByLabel('Events of').selectOption('file');
    expect(await tab.page.getByLabel('Project secret').count()).toBe(0);
    await source.getByRole('button', { name: 'Use sample data' }).click();
    await expect.poll(() => readText(tab.chip('Source'))).toMatch(/20,000 events/);
    await expect.poll(() => tab.readHeadline()).toContain('view product');
    await source.getByLabel('Events of').selectOption('server');
    await tab.expectAsked('segmentation', { event: 'view item', ...DATES });
    expect(await readText(tab.chip('Source'))).toMatch(/\b20 events/);
  });

  it('the header says in which time zone days are, and the properties have types at once', async () => {
    const zone = tab.page.getByTitle('Days and hours are those of this time zone. The project sets it.');
    expect(await readText(zone)).toMatch(/Europe\/Amsterdam$/);
    const type = (name: string) => properties().locator(`[data-name=${name}] .type`).first().getAttribute('title');
    await expect.poll(() => type('amount')).toBe('number');
    expect(await type('country')).toBe('string');
    // Nobody has an event with a profile.
    expect(await type('plan')).toBe('');
  });

  it('an example of the help becomes the filter', async () => {
    await tab.page.getByRole('button', { name: 'Help' }).click();
    await tab.page.getByRole('button', { name: 'number(properties["amount"]) > 100' }).click();
    await tab.expectAsked('segmentation', { where: 'number(properties["amount"]) > 100' });
    expect(await tab.page.getByRole('dialog').count()).toBe(0);
  });

  it('a part of the page says if its code cannot be loaded', async () => {
    const code = '**/explore-page-*.js';
    await tab.page.route(code, (route) => route.abort());
    await tab.open('Explore');
    const words = 'This part of the page could not be loaded. Reload the page.';
    await expect.poll(() => readText(tab.page.getByRole('main'))).toContain(words);
    await tab.page.unroute(code);
    expect(tab.takeProblems()).toEqual([expect.stringContaining('Failed to load resource')]);
  });

  it('the theme that someone has chosen stays', async () => {
    const background = () => tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const theme = tab.page.getByRole('button', { name: /^Theme/ });
    const before = await background();
    await theme.click();
    await theme.click();
    expect(await theme.getAttribute('aria-label')).toBe('Theme: dark');
    const dark = await background();
    expect(dark).not.toBe(before);
    await tab.page.reload();
    await expect.poll(background).toBe(dark);
    await theme.click();
    expect(await background()).toBe(before);
    expect(await theme.getAttribute('aria-label')).toBe('Theme: auto');
  });

  it('dates are those that someone has chosen', async () => {
    await tab.visitAnswer('#query=segmentation&from_date=2024-01-01&to_date=2024-01-31');
    const dates = { from_date: '2024-01-01', to_date: '2024-01-31' };
    await tab.expectAsked('segmentation', dates);
    expect(await readText(tab.chip('Dates'))).toContain('January 2024');
    await tab.open('Retention');
    await tab.expectAsked('retention', dates);
    await tab.choose('Dates', 'Last 7 days');
    await tab.expectAsked('retention', { from_date: '2025-05-28', to_date: '2025-06-03' });
    const popover = await tab.openChip('Dates');
    await popover.getByLabel('From').fill('2025-06-02');
    await tab.expectAsked('retention', { from_date: '2025-06-02', to_date: '2025-06-03' });
    await popover.getByRole('button', { name: 'All data' }).click();
    await tab.expectAsked('retention', DATES);
  });

  it('the saved filters are listed as imports change them', async () => {
    const since = '2025-06-04T05:06:07.000Z';
    const saved = { name: 'large', event: null, where: 'properties["amount"] > 100', events: 0, since };
    tab.api.savedFilters = [{ ...saved, last_import: null }];
    const source = await tab.openChip('Source');
    const row = () => readText(source.getByRole('row', { name: 'large' }));
    await expect.poll(row).toMatch(/large\s+all\s+properties\["amount"\] > 100\s+none yet\s+0\s+2025-06-04 05:06:07/);
    const time = '2025-06-05T05:06:07.000Z';
    tab.api.savedFilters = [{ ...saved, events: 1_234, last_import: { time, events: 12, people: 3 } }];
    await expect.poll(row, { timeout: PATIENCE_MS }).toMatch(/2025-06-05 05:06:07\s+12\s+3\s+1,234\s/);
    expect(await axeFindings(tab.page)).toEqual([]);
    tab.api.savedFilters = [];
    await expect
      .poll(() => source.getByRole('table', { name: 'Saved filters' }).count(), { timeout: PATIENCE_MS })
      .toBe(0);
  });

  it('the page says how to begin without events', async () => {
    tab.api.overrides.set('overview', () => ({ from_date: null, to_date: null, unit: 'hour', series: [], events: [] }));
    tab.api.overrides.set('overview/datasets', () => []);
    await tab.visit();
    await expect.poll(() => tab.readStatus()).toBe('The project has no events yet. Import some with onwhere import.');
    expect(await tab.answer.count()).toBe(0);
  });

  it('properties and their values filter and group', async () => {
    await expect
      .poll(() => properties().locator('summary').allInnerTexts())
      .toEqual([
        expect.stringMatching(/country\s+100%$/),
        expect.stringMatching(/amount\s+36.8%$/),
        expect.stringMatching(/plan\s+user\s+100%$/),
      ]);
    await properties().getByText('amount').click();
    await properties().getByRole('button', { name: '12.5' }).click();
    await tab.expectAsked('segmentation', { where: 'properties["amount"] == 12.5' });
    await properties().getByRole('button', { name: 'none' }).click();
    await tab.expectAsked('segmentation', {
      where: 'properties["amount"] == 12.5 and properties["amount"] == "none"',
    });
    expect(
      await filter()
        .getByRole('button', { name: /^Condition: / })
        .count(),
    ).toBe(2);
    await properties().getByText('plan').click();
    await properties().locator('details[data-name=plan]').getByRole('button', { name: 'Group by' }).click();
    await tab.expectAsked('segmentation', { on: 'user["plan"]' });
    await properties().getByLabel('Search properties').fill('count');
    expect(await properties().locator('details:visible').count()).toBe(1);
    await tab.typeFilter('properties["amount"] =');
    await properties().getByText('country').click();
    await properties().getByRole('button', { name: 'NL' }).click();
    await expect.poll(() => tab.readStatus()).toBe('The filter has an error: correct it first.');
    await tab.choose('Measure', 'Top events today');
    await tab.expectAsked('events/top', {});
    await properties().getByRole('button', { name: 'NL' }).click();
    await expect.poll(() => tab.readStatus()).toBe('This question has no such field.');
  });

  it('the filter suggests the values of the project', async () => {
    await tab.choose('Event', 'purchase');
    await tab.typeFilter('properties["amount"] == ');
    await expect
      .poll(() =>
        tab.api.requests.some(({ path, parameters }) => path === 'overview/values' && parameters.name === 'amount'),
      )
      .toBe(true);
    await expect
      .poll(async () => {
        await tab.page.keyboard.press('Control+Space');
        return tab.page.locator('.cm-completionLabel').allInnerTexts();
      })
      .toEqual(expect.arrayContaining(['12.5', '"none"']));
  });

  it('a filter says how it relates to the one before', async () => {
    await tab.typeFilter('properties["amount"] > 10');
    await tab.expectAsked('segmentation', { where: 'properties["amount"] > 10' });
    await tab.typeFilter('properties["amount"] > 20');
    await tab.expectAsked('segmentation', { where: 'properties["amount"] > 20' });
    await expect
      .poll(() => readText(tab.page.getByRole('main')))
      .toMatch(/Selects fewer events than the filter before: no longer amount \d/);
  });

  it('the secret of a link is taken, and removed from the address', async () => {
    const page = await tab.page.context().newPage();
    tab.api.requests.length = 0;
    await page.goto(`${tab.api.address}#secret=${SECRET}&query=segmentation&event=purchase`);
    await page.getByRole('region', { name: 'Answer' }).waitFor();
    expect(page.url()).toMatch(/#query=segmentation&event=purchase/);
    expect(page.url()).not.toContain('secret');
    expect(tab.api.questions).toEqual([
      { path: 'segmentation', parameters: { event: 'purchase', ...DATES, unit: 'day' } },
    ]);
    await page.close();
  });

  it('the language and the keys are shown on `?`', async () => {
    const help = tab.page.getByRole('dialog', { name: 'Help' });
    await properties().getByLabel('Search properties').fill('?');
    await tab.page.keyboard.press('?');
    expect(await help.isVisible()).toBe(false);
    await tab.chip('Event').focus();
    await tab.page.keyboard.press('?');
    await expect.poll(() => readText(help)).toMatch(/not defined\(properties\["coupon"\]\).*datetime.*Ctrl-Space/s);
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await axeFindings(tab.page)).toEqual([]);
    }
    await tab.page.keyboard.press('Escape');
    expect(await help.isVisible()).toBe(false);
    await tab.page.getByRole('button', { name: 'Help' }).click();
    await help.getByRole('button', { name: 'Close help' }).click();
    expect(await help.isVisible()).toBe(false);
  });

  it('an open property has no axe findings', async () => {
    await properties().getByText('amount').click();
    await properties().getByRole('button', { name: '12.5' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await axeFindings(tab.page)).toEqual([]);
    }
  });
});
