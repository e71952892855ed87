import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../../axe-findings.ts';
import { CHROMIUM, launchChromium } from '../../chromium.ts';
import { openTab, readCells, readText, visit } from '../playground/page.ts';
import { FakeApi, SECRET } from './fake-api.ts';

const DATES = { from_date: '2025-06-01', to_date: '2025-06-03' };

/** Messages in the browser console that are no errors of the page. */
const EXPECTED = [
  'error: Failed to load resource: the server responded with',
  // When coloured text is typed over, Chromium tries to keep its colour.
  'error: Applying inline style violates',
];

describe.skipIf(CHROMIUM === undefined)('console page', () => {
  let api: FakeApi;
  let browser: Browser;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    [api, browser] = await Promise.all([FakeApi.start(), launchChromium()]);
    ({ page, problems } = await openTab(browser, api.address));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ target, violatedDirective }) => {
        if (!(target as Element).closest?.('.cm-content')) console.warn(`violates ${violatedDirective}`);
      });
    });
    await page.addInitScript((secret) => {
      if (location.href !== 'about:blank') sessionStorage.setItem('onwhere-secret', secret);
    }, SECRET);
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  beforeEach(() => visit(page, api.address));
  afterEach(() => {
    const unexpected = problems.splice(0).filter((problem) => !EXPECTED.some((start) => problem.startsWith(start)));
    expect(unexpected).toEqual([]);
    expect(api.paths.filter((path) => path.includes(SECRET) || path.includes('?'))).toEqual([]);
    expect(page.url()).not.toContain(SECRET);
    api.overrides.clear();
  });

  const choose = (query: string) => page.getByRole('navigation').getByText(query, { exact: true }).click();
  const fill = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByLabel(label, { exact: true }).blur();
  };
  const type = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  const status = () => readText(page.locator('#status'));
  const run = async () => {
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(status).toMatch(/^Finished in/);
  };
  const open = async (query: string, fields: Readonly<Record<string, string>> = {}) => {
    await choose(query);
    await fill('From', DATES.from_date);
    await fill('To', DATES.to_date);
    for (const [label, text] of Object.entries(fields)) await fill(label, text);
  };

  it('runs a segmentation with a filter and a grouping', async () => {
    await open('Segmentation', { Event: 'purchase' });
    await type('Filter', 'properties["amount"] > 3');
    await type('Group by', 'properties["country"]');
    await run();
    const parameters = { event: 'purchase', ...DATES, where: 'properties["amount"] > 3', on: 'properties["country"]' };
    expect(api.last).toEqual({ path: 'segmentation', parameters });
    const totals = await readCells(page, '[aria-label=Totals] table');
    expect(totals.map((row) => row.slice(0, 3))).toEqual([
      ['NL', '150', '83.3%'],
      ['DE', '24', '13.3%'],
      ['10', '6', '3.3%'],
    ]);
    await page.getByText('By day as a table').click();
    expect((await readCells(page, '#result details table'))[2]).toEqual(['2025-06-03', '60', '9', '3']);
    expect(await page.locator('.legend bdi').allInnerTexts()).toEqual(['NL', 'DE', '10']);
    expect(await page.getByRole('img').locator('canvas').isVisible()).toBe(true);
  });

  it('runs ranges, sums and averages of a number', async () => {
    await open('Ranges', { Event: 'purchase', 'Number of ranges': '3' });
    await type('Numeric expression', 'properties["amount"]');
    await run();
    const parameters = { event: 'purchase', ...DATES, on: 'properties["amount"]' };
    expect(api.last).toEqual({ path: 'segmentation/numeric', parameters: { ...parameters, buckets: '3' } });
    const ranges = (await readCells(page, '[aria-label=Totals] table')).map(([name]) => name);
    expect(ranges).toEqual(['0 - 100', '100 - 200', '1,000 - 1,100']);
    await choose('Sum');
    await run();
    expect(api.last).toEqual({ path: 'segmentation/sum', parameters });
    const sums = await readCells(page, '#result table');
    expect(sums).toEqual([
      ['2025-06-01', '-3.25'],
      ['2025-06-02', '12.5'],
      ['2025-06-03', '1,000,000'],
    ]);
    await choose('Average');
    await run();
    expect(api.last).toEqual({ path: 'segmentation/average', parameters });
  });

  it('runs events over time, top events and properties', async () => {
    await open('Events', { Events: 'purchase\nview item' });
    await page.getByLabel('Count').selectOption('unique');
    await page.getByLabel('Time unit').selectOption('week');
    await run();
    const counting = { type: 'unique', unit: 'week' };
    expect(api.last).toEqual({
      path: 'events',
      parameters: { event: '["purchase","view item"]', ...DATES, ...counting },
    });
    // The same user may be in several weeks, so there are no totals.
    expect(await page.locator('[aria-label=Totals]').count()).toBe(0);
    await choose('Top events');
    await run();
    expect((await readCells(page, '#result table')).map((row) => row.slice(0, 4))).toEqual([
      ['purchase', '30', '+50%', '75%'],
      ['view item', '10', '-25%', '25%'],
    ]);
    await open('Properties', { Event: 'purchase', Property: 'country', Values: 'NL\nDE' });
    await run();
    const parameters = { event: 'purchase', name: 'country', values: '["NL","DE"]', ...DATES, ...counting };
    expect(api.last).toEqual({ path: 'events/properties', parameters });
  });

  it('runs a funnel and shows all dates or one, and each segment', async () => {
    await open('Funnels');
    await expect.poll(() => readText(page.getByLabel('Funnel', { exact: true }))).toContain('to come back');
    await page.getByLabel('Funnel', { exact: true }).selectOption('to come back');
    await type('Group by', 'properties["country"]');
    await run();
    const parameters = { funnel_id: '7', ...DATES, on: 'properties["country"]' };
    expect(api.last).toEqual({ path: 'funnels', parameters });
    const rows = () => readCells(page, '#result table');
    expect(await rows()).toEqual([
      ['1. view item', '600', '100%', '', '', ''],
      ['2. add to cart', '150', '25%', '', '25%', '1 h 1 min'],
      ['3. purchase', '30', '5%', '', '20%', '2 h 3 min'],
    ]);
    await page.getByLabel('Date').selectOption('2025-06-02');
    expect((await rows())[1]).toEqual(['2. add to cart', '50', '25%', '', '25%', '1 h 1 min']);
    await page.getByLabel('Segment', { exact: true }).selectOption('NL');
    expect((await rows())[2]).toEqual(['3. purchase', '5', '25%', '', '50%', '2 h 3 min']);
  });

  it('runs retention and frequency, and shows cohorts as a shaded grid', async () => {
    await open('Retention', { 'First event': 'purchase', 'Intervals after the first': '3' });
    await type('First event filter', 'properties["amount"] > 3');
    await run();
    const born = { born_event: 'purchase', born_where: 'properties["amount"] > 3' };
    expect(api.last).toEqual({ path: 'retention', parameters: { ...born, ...DATES, interval_count: '3' } });
    const rows = () => readCells(page, '#result table');
    expect((await rows())[2]).toEqual(['2025-06-03', '100', '80%', '40%', '20%', '10%']);
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      'Cohort',
      'Users',
      ...['day 0', 'day 1', 'day 2', 'day 3'],
    ]);
    const shades = page.locator('#result tbody tr').nth(2).locator('[data-shade]');
    const colours = await shades.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
    expect(new Set(colours).size).toBe(4);
    await page.getByLabel('Show').selectOption('users');
    expect((await rows())[2]).toEqual(['2025-06-03', '100', '80', '40', '20', '10']);
    await choose('Frequency');
    await type('Group by', 'properties["country"]');
    await run();
    expect(api.last).toEqual({ path: 'retention/addiction', parameters: { ...DATES, on: 'properties["country"]' } });
    await page.getByLabel('Segment', { exact: true }).selectOption('DE');
    expect((await rows())[0]).toEqual(['2025-06-01', '90', '100%', '50%', '12.2%', '0%']);
  });

  it('pages through people with one session', async () => {
    await choose('People');
    await type('Filter', 'properties["plan"] == "pro"');
    await run();
    const where = 'properties["plan"] == "pro"';
    expect(api.last).toEqual({ path: 'engage', parameters: { where } });
    const position = page.locator('.pages [role=status]');
    expect(await readText(position)).toBe('1–50 of 250');
    expect((await readCells(page, '#result table'))[0]).toEqual(['p000', 'p0@example.org', 'pro', '["a","b"]']);
    await type('Filter', 'false');
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    await next.click();
    await expect.poll(() => readText(position)).toBe('101–150 of 250');
    expect(api.last).toEqual({ path: 'engage', parameters: { where, session_id: 's1', page: '1' } });
    await page.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => readText(position)).toBe('51–100 of 250');
    api.overrides.set('engage', () => 'Invalid parameter: session_id');
    await next.click();
    await expect.poll(() => readText(page.getByRole('alert'))).toBe('Invalid parameter: session_id');
    expect(await readText(position)).toBe('51–100 of 250');
  });

  it('shows errors next to their fields', async () => {
    const errors = [
      ['Missing required parameter: event', 'field-event', 'purchase'],
      ['Invalid date range', 'field-to_date', '2025-06-30'],
      ['Invalid parameter: limit', 'field-limit', '1'],
    ] as const;
    for (const [message, id, better] of errors) {
      api.overrides.set('segmentation', () => message);
      await page.getByRole('button', { name: 'Run' }).click();
      const field = page.locator(`#${id}`);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      expect(await readText(page.locator(`#${await field.getAttribute('aria-describedby')}`))).toBe(message);
      expect(await readText(page.getByRole('alert'))).toBe('');
      await field.fill(better);
      expect(await field.getAttribute('aria-invalid')).toBe(null);
    }
  });

  it('shows errors in expressions next to their editors', async () => {
    await choose('Retention');
    await type('Return event filter', 'properties["x"]');
    await type('First event filter', 'properties["x"] == 1 =');
    const message = 'Query Error in selector, the filter is incomplete';
    api.overrides.set('retention', () => message);
    await page.getByRole('button', { name: 'Run' }).click();
    // Of the two filters, the one that fails the check.
    await expect.poll(() => readText(page.locator('#error-born_where'))).toBe(message);
    expect(await page.locator('#error-where').isVisible()).toBe(false);
    api.overrides.set('retention', () => 'Query Error in action, no such thing');
    await type('Group by', 'properties["y"]');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => readText(page.locator('#error-on'))).toBe('Query Error in action, no such thing');
  });

  it('shows other errors above the results, and a wrong secret next to its field', async () => {
    api.overrides.set('events/top', () => 'Something else');
    await choose('Top events');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => readText(page.getByRole('alert'))).toBe('Something else');
    const secret = page.getByLabel('Project secret');
    await secret.fill('sec-of-another');
    await secret.press('Enter');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => readText(page.locator('#error-secret'))).toBe('The secret opens no project');
    expect(await page.evaluate(() => sessionStorage.getItem('onwhere-secret'))).toBe('sec-of-another');
    await secret.fill(SECRET);
    await secret.press('Enter');
    await expect.poll(() => secret.getAttribute('aria-invalid')).toBe(null);
  });

  it('suggests the names of the project and checks expressions against them', async () => {
    await fill('Event', 'purchase');
    await type('Filter', 'properties["amuont"] > 1');
    await expect.poll(() => readText(page.locator('#form'))).toContain('Did you mean "amount"?');
    await type('Group by', '');
    await page.keyboard.type('properties[', { delay: 5 });
    await expect.poll(() => readText(page.locator('.cm-tooltip-autocomplete'))).toMatch(/amount.*\n.*country/s);
    const events = page.locator('#known-events option');
    expect(await events.evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))).toEqual([
      ...['view item', 'purchase', '$experiment'],
    ]);
  });

  it('cancels a query', async () => {
    let answer = (_: object) => {};
    api.overrides.set('events/top', () => new Promise<object>((resolve) => { answer = resolve; })); // biome-ignore format: short
    await choose('Top events');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(status).toBe('Running …');
    await expect.poll(() => api.last?.path).toBe('events/top');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(status).toBe('Cancelled.');
    await expect.poll(() => api.abandoned).toBeGreaterThan(0);
    expect(await page.locator('#result').getAttribute('aria-busy')).toBe('false');
    answer({});
  });

  it('opens and runs the query of a link, which has no secret', async () => {
    await open('Segmentation', { Event: `<img src=x> & "it's"` });
    await type('Filter', 'properties["a"] == "%#&"');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(status).toMatch(/^Finished in/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const expected = api.last;
    api.requests.length = 0;
    await visit(page, link);
    await expect.poll(status).toMatch(/^Finished in/);
    expect(api.last).toEqual(expected);
    await page.getByText('curl', { exact: true }).click();
    expect(await page.locator('#curl').textContent()).toBe(
      [
        'curl -u "$ONWHERE_SECRET:"',
        `'${api.address}api/2.0/segmentation/'`,
        `--data-urlencode 'event=<img src=x> & "it'\\''s"'`,
        "--data-urlencode 'from_date=2025-06-01'",
        "--data-urlencode 'to_date=2025-06-03'",
        `--data-urlencode 'where=properties["a"] == "%#&"'`,
      ].join(' \\\n  '),
    );
    await fill('Event', 'other');
    expect(await page.getByText('The query has changed. Run it to update the results.').isVisible()).toBe(true);
  });

  it('follows a link that is clicked just before a change is saved', async () => {
    await choose('Retention');
    await page.getByLabel('First event', { exact: true }).evaluate((field: HTMLInputElement) => {
      const { setTimeout } = window;
      const waiting: (() => void)[] = [];
      window.setTimeout = ((save: () => void) => waiting.push(save)) as unknown as typeof setTimeout;
      field.value = 'purchase';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      window.setTimeout = setTimeout;
      document.querySelector<HTMLElement>('#queries [href*=addiction]')?.click();
      for (const save of waiting) save();
    });
    await expect.poll(() => readText(page.locator('#title'))).toBe('Frequency');
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible in the %s theme and fits %i pixels', async (colorScheme, width) => {
    const link = `${api.address}#query=segmentation&event=purchase&on=properties%5B%22country%22%5D`;
    await visit(page, link, { colorScheme, width });
    const look = async () => {
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await expect.poll(status).toMatch(/^Finished in/);
    await look();
    for (const query of ['Funnels', 'Retention', 'People']) {
      await choose(query);
      await run();
      if (query === 'People') {
        api.overrides.set('engage', () => 'Query Error in selector, no');
        await type('Filter', 'properties["x"] = 1 and');
        await page.getByRole('button', { name: 'Run' }).click();
        await page.locator('#error-where').waitFor();
      }
      await look();
    }
  });
});
