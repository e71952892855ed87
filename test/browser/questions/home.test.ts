import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../eventually.ts';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import { readText } from '../explore/page.ts';
import { SECRET } from './fake-api.ts';
import { ServerTab } from './server-tab.ts';

describe.skipIf(CHROMIUM === undefined)('the page of a server, signed in', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
  });
  afterAll(() => tab.stop());
  beforeEach(() => tab.visit());
  afterEach(() => tab.assertNoProblems());

  const field = (label: string) => tab.page.getByLabel(label, { exact: true });
  const home = () => readText(tab.page.locator('.home'));
  const panel = () => tab.page.locator('#properties');

  it('shows the events over the dates of the data, and counts one on a click', async () => {
    await expect.poll(home).toContain('20 events, 2025-06-01 to 2025-06-03, by day. Choose one to count it.');
    expect(await tab.page.locator('.home tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^view item\s+12\s+60%/),
      expect.stringMatching(/^purchase\s+7\s+35%/),
      expect.stringMatching(/^\$experiment\s+1\s+5%/),
      'shop\tb2\t2025-06-04 05:06:07\t',
      'shop\ta1\t2025-06-03 05:06:07\tyes',
      'app\tno version yet\t\t',
    ]);
    expect(await tab.page.locator('.sparkline polyline').count()).toBe(3);
    expect([await field('From').inputValue(), await field('To').inputValue()]).toEqual(['2025-06-01', '2025-06-03']);
    await tab.page.getByRole('button', { name: 'purchase' }).click();
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    expect(tab.api.last).toMatchObject({
      path: 'segmentation',
      parameters: { event: 'purchase', from_date: '2025-06-01', to_date: '2025-06-03' },
    });
    expect(await tab.page.locator('.home').count()).toBe(0);
  });

  it('opens a file instead, and the server again', async () => {
    await expect.poll(home).toContain('20 events');
    const source = tab.page.getByLabel('Events of', { exact: true });
    await source.selectOption('file');
    expect(await tab.page.getByLabel('Project secret').isVisible()).toBe(false);
    await tab.page.getByRole('button', { name: 'Use sample data' }).click();
    await expect.poll(() => readText(tab.page.locator('#summary'))).toContain('events match');
    await tab.choose('Segmentation');
    await expect.poll(home).toContain('20,000 events, 2025-06-01 to 2025-06-30');
    await source.selectOption('server');
    await expect.poll(home).toContain('20 events, 2025-06-01 to 2025-06-03');
    expect(await tab.page.getByRole('navigation').getByText('Explore').count()).toBe(0);
  });

  it('takes an example of the help as the filter', async () => {
    await expect.poll(home).toContain('20 events');
    await tab.page.getByRole('button', { name: 'Help' }).click();
    await tab.page.getByRole('button', { name: 'number(properties["amount"]) > 100' }).click();
    await expect.poll(() => readText(field('Filter'))).toBe('number(properties["amount"]) > 100');
    expect(await tab.page.getByRole('dialog').count()).toBe(0);
  });

  it('keeps the theme that someone has chosen', async () => {
    const background = () =>
      tab.page.evaluate(() => getComputedStyle(document.body.parentElement as Element).backgroundColor);
    const before = await background();
    await tab.page.getByLabel('Theme').selectOption('dark');
    const dark = await background();
    expect(dark).not.toBe(before);
    await tab.page.reload();
    await expect.poll(background).toBe(dark);
    await tab.page.getByLabel('Theme').selectOption('');
    expect(await background()).toBe(before);
  });

  it('keeps dates that someone has chosen', async () => {
    await tab.page.goto(`${tab.api.address}#query=sum&from_date=2024-01-01&to_date=2024-01-31`);
    await expect.poll(home).toContain('20 events');
    expect([await field('From').inputValue(), await field('To').inputValue()]).toEqual(['2024-01-01', '2024-01-31']);
  });

  it('lists the saved filters as imports change them', async () => {
    const since = '2025-06-04T05:06:07.000Z';
    const filter = { name: 'large', event: null, where: 'properties["amount"] > 100', events: 0, since };
    tab.api.savedFilters = [{ ...filter, last_import: null }];
    await tab.visit();
    const row = () => readText(tab.page.getByRole('row', { name: 'large' }));
    await expect.poll(row).toMatch(/large\s+all\s+properties\["amount"\] > 100\s+none yet\s+0\s+2025-06-04 05:06:07/);
    const time = '2025-06-05T05:06:07.000Z';
    tab.api.savedFilters = [{ ...filter, events: 1_234, last_import: { time, events: 12, people: 3 } }];
    await expect.poll(row, { timeout: PATIENCE_MS }).toMatch(/2025-06-05 05:06:07\s+12\s+3\s+1,234\s/);
    expect(await axeFindings(tab.page)).toEqual([]);
    tab.api.savedFilters = [];
    await expect.poll(() => tab.page.locator('.saved-filters table').count(), { timeout: PATIENCE_MS }).toBe(0);
  });

  it('says how to begin without events', async () => {
    tab.api.overrides.set('overview', () => ({ from_date: null, to_date: null, unit: 'hour', series: [], events: [] }));
    tab.api.overrides.set('overview/datasets', () => []);
    await tab.visit();
    await expect.poll(home).toBe('The project has no events yet. Import some with onwhere import.');
  });

  it('filters and groups by properties and their values', async () => {
    await expect
      .poll(() => panel().locator('summary').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^country\s+19\s+100%$/),
        expect.stringMatching(/^amount\s+7\s+36.8%$/),
        expect.stringMatching(/^plan\s+user\s+3\s+100%$/),
      ]);
    await panel().getByText('amount').click();
    await panel().getByRole('button', { name: '12.5' }).click();
    await expect.poll(() => readText(field('Filter'))).toBe('properties["amount"] == 12.5');
    await panel().getByRole('button', { name: 'none' }).click();
    await expect
      .poll(() => readText(field('Filter')))
      .toBe('properties["amount"] == 12.5 and properties["amount"] == "none"');
    await panel().getByText('plan').click();
    await panel().locator('details[data-name=plan]').getByRole('button', { name: 'Group by' }).click();
    await expect.poll(() => readText(field('Group by'))).toBe('user["plan"]');
    await field('Search properties').fill('count');
    expect(await panel().locator('details:visible').count()).toBe(1);
    await tab.type('Filter', 'properties["amount"] =');
    await panel().getByText('country').click();
    await panel().getByRole('button', { name: 'NL' }).click();
    await expect.poll(() => tab.readStatus()).toBe('The filter has an error: correct it first.');
    await tab.choose('Top events');
    await panel().getByRole('button', { name: 'NL' }).click();
    await expect.poll(() => tab.readStatus()).toBe('This query has no such field.');
  });

  it('suggests the values of the project', async () => {
    await tab.type('Filter', 'properties["amount"] == ');
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

  it('takes the secret of a link, and removes it from the address', async () => {
    const page = await tab.page.context().newPage();
    await page.goto(`${tab.api.address}#secret=${SECRET}&query=segmentation&event=purchase`);
    await expect.poll(() => readText(page.locator('#status'))).toMatch(/^Finished in/);
    expect(page.url()).toMatch(/#query=segmentation&event=purchase/);
    expect(page.url()).not.toContain('secret');
    expect(tab.api.last?.parameters).toMatchObject({ event: 'purchase', from_date: '2025-06-01' });
    await page.close();
  });

  it('shows the language and the keys on `?`', async () => {
    const help = tab.page.getByRole('dialog', { name: 'Help' });
    await field('Event').fill('?');
    expect(await help.isVisible()).toBe(false);
    await tab.page.getByRole('button', { name: 'Run' }).focus();
    await tab.page.keyboard.press('?');
    await expect.poll(() => readText(help)).toMatch(/not defined\(properties\["coupon"\]\).*datetime.*Ctrl-Enter/s);
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

  it('has no axe findings', async () => {
    await expect.poll(home).toContain('20 events');
    await panel().getByText('amount').click();
    await panel().getByRole('button', { name: '12.5' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await axeFindings(tab.page)).toEqual([]);
    }
  });
});
