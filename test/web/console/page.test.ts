import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../../axe-findings.ts';
import { CHROMIUM, launchChromium } from '../../chromium.ts';
import { cells, openTab, seen, visit } from '../playground/page.ts';
import { FakeApi, SECRET } from './fake-api.ts';

const DATES = { from_date: '2025-06-01', to_date: '2025-06-03' };

/** What stands in the browser's console when nothing is wrong with the page. */
const EXPECTED = [
  'error: Failed to load resource: the server responded with',
  // Who types over coloured text has Chromium try to keep its colour.
  'error: Applying inline style violates',
];

describe.skipIf(CHROMIUM === undefined)('the page of the server', () => {
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
    api.instead.clear();
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
  const status = () => seen(page.locator('#status'));
  const ask = async () => {
    await page.getByRole('button', { name: 'Ask' }).click();
    await expect.poll(status).toMatch(/^Answered in/);
  };
  const askFrom = async (query: string, fields: Readonly<Record<string, string>> = {}) => {
    await choose(query);
    await fill('From', DATES.from_date);
    await fill('To', DATES.to_date);
    for (const [label, text] of Object.entries(fields)) await fill(label, text);
  };

  it('asks for segmentation, with a filter and segments', async () => {
    await askFrom('Segmentation', { Event: 'purchase' });
    await type('Filter', 'properties["amount"] > 3');
    await type('Segment by', 'properties["country"]');
    await ask();
    const parameters = { event: 'purchase', ...DATES, where: 'properties["amount"] > 3', on: 'properties["country"]' };
    expect(api.last).toEqual({ path: 'segmentation', parameters });
    const totals = await cells(page, '[aria-label=Altogether] table');
    expect(totals.map((row) => row.slice(0, 3))).toEqual([
      ['NL', '150', '83.3%'],
      ['DE', '24', '13.3%'],
      ['10', '6', '3.3%'],
    ]);
    await page.getByText('By day as a table').click();
    expect((await cells(page, '#answer details table'))[2]).toEqual(['2025-06-03', '60', '9', '3']);
    expect(await page.locator('.legend bdi').allInnerTexts()).toEqual(['NL', 'DE', '10']);
    expect(await page.getByRole('img').locator('canvas').isVisible()).toBe(true);
  });

  it('asks for ranges, sums and averages of a number', async () => {
    await askFrom('Ranges', { Event: 'purchase', Ranges: '3' });
    await type('Number', 'properties["amount"]');
    await ask();
    const parameters = { event: 'purchase', ...DATES, on: 'properties["amount"]' };
    expect(api.last).toEqual({ path: 'segmentation/numeric', parameters: { ...parameters, buckets: '3' } });
    const ranges = (await cells(page, '[aria-label=Altogether] table')).map(([name]) => name);
    expect(ranges).toEqual(['0 - 100', '100 - 200', '1,000 - 1,100']);
    await choose('Sum');
    await ask();
    expect(api.last).toEqual({ path: 'segmentation/sum', parameters });
    const sums = await cells(page, '#answer table');
    expect(sums).toEqual([
      ['2025-06-01', '-3.25'],
      ['2025-06-02', '12.5'],
      ['2025-06-03', '1,000,000'],
    ]);
    await choose('Average');
    await ask();
    expect(api.last).toEqual({ path: 'segmentation/average', parameters });
  });

  it('asks for events, of today and over time, and for properties', async () => {
    await askFrom('Events', { Events: 'purchase\nview item' });
    await page.getByLabel('Count').selectOption('unique');
    await page.getByLabel('Unit').selectOption('week');
    await ask();
    const counting = { type: 'unique', unit: 'week' };
    expect(api.last).toEqual({
      path: 'events',
      parameters: { event: '["purchase","view item"]', ...DATES, ...counting },
    });
    // Users of several weeks may be the same: nothing is added up.
    expect(await page.locator('[aria-label=Altogether]').count()).toBe(0);
    await choose('Top events');
    await ask();
    expect((await cells(page, '#answer table')).map((row) => row.slice(0, 4))).toEqual([
      ['purchase', '30', '+50%', '75%'],
      ['view item', '10', '-25%', '25%'],
    ]);
    await askFrom('Properties', { Event: 'purchase', Property: 'country', Values: 'NL\nDE' });
    await ask();
    const parameters = { event: 'purchase', name: 'country', values: '["NL","DE"]', ...DATES, ...counting };
    expect(api.last).toEqual({ path: 'events/properties', parameters });
  });

  it('asks for funnels, and shows all dates or one, and each segment', async () => {
    await askFrom('Funnels');
    await expect.poll(() => seen(page.getByLabel('Funnel', { exact: true }))).toContain('to come back');
    await page.getByLabel('Funnel', { exact: true }).selectOption('to come back');
    await type('Segment by', 'properties["country"]');
    await ask();
    const parameters = { funnel_id: '7', ...DATES, on: 'properties["country"]' };
    expect(api.last).toEqual({ path: 'funnels', parameters });
    const rows = () => cells(page, '#answer table');
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

  it('asks for retention and addiction, and shows cohorts as a grid with shades', async () => {
    await askFrom('Retention', { 'First do': 'purchase', 'Intervals after the first': '3' });
    await type('Filter of what they first do', 'properties["amount"] > 3');
    await ask();
    const born = { born_event: 'purchase', born_where: 'properties["amount"] > 3' };
    expect(api.last).toEqual({ path: 'retention', parameters: { ...born, ...DATES, interval_count: '3' } });
    const rows = () => cells(page, '#answer table');
    expect((await rows())[2]).toEqual(['2025-06-03', '100', '80%', '40%', '20%', '10%']);
    expect(await page.locator('thead th').allInnerTexts()).toEqual([
      'Cohort',
      'Users',
      ...['day 0', 'day 1', 'day 2', 'day 3'],
    ]);
    const shades = page.locator('#answer tbody tr').nth(2).locator('[data-shade]');
    const colours = await shades.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
    expect(new Set(colours).size).toBe(4);
    await page.getByLabel('Show').selectOption('users');
    expect((await rows())[2]).toEqual(['2025-06-03', '100', '80', '40', '20', '10']);
    await choose('Addiction');
    await type('Segment by', 'properties["country"]');
    await ask();
    expect(api.last).toEqual({ path: 'retention/addiction', parameters: { ...DATES, on: 'properties["country"]' } });
    await page.getByLabel('Segment', { exact: true }).selectOption('DE');
    expect((await rows())[0]).toEqual(['2025-06-01', '90', '100%', '50%', '12.2%', '0%']);
  });

  it('turns the pages of people, and asks for more of the same session', async () => {
    await choose('People');
    await type('Filter', 'properties["plan"] == "pro"');
    await ask();
    const where = 'properties["plan"] == "pro"';
    expect(api.last).toEqual({ path: 'engage', parameters: { where } });
    const position = page.locator('.pages [role=status]');
    expect(await seen(position)).toBe('1–50 of 250');
    expect((await cells(page, '#answer table'))[0]).toEqual(['p000', 'p0@example.org', 'pro', '["a","b"]']);
    await type('Filter', 'false');
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    await next.click();
    await expect.poll(() => seen(position)).toBe('101–150 of 250');
    expect(api.last).toEqual({ path: 'engage', parameters: { where, session_id: 's1', page: '1' } });
    await page.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => seen(position)).toBe('51–100 of 250');
    api.instead.set('engage', () => 'Invalid parameter: session_id');
    await next.click();
    await expect.poll(() => seen(page.getByRole('alert'))).toBe('Invalid parameter: session_id');
    expect(await seen(position)).toBe('51–100 of 250');
  });

  it('shows errors beside their fields', async () => {
    const errors = [
      ['Missing required parameter: event', 'field-event', 'purchase'],
      ['Invalid date range', 'field-to_date', '2025-06-30'],
      ['Invalid parameter: limit', 'field-limit', '1'],
    ] as const;
    for (const [message, id, better] of errors) {
      api.instead.set('segmentation', () => message);
      await page.getByRole('button', { name: 'Ask' }).click();
      const field = page.locator(`#${id}`);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      expect(await seen(page.locator(`#${await field.getAttribute('aria-describedby')}`))).toBe(message);
      expect(await seen(page.getByRole('alert'))).toBe('');
      await field.fill(better);
      expect(await field.getAttribute('aria-invalid')).toBe(null);
    }
  });

  it('shows errors in expressions beside them', async () => {
    await choose('Retention');
    await type('Filter of what they come back to', 'properties["x"]');
    await type('Filter of what they first do', 'properties["x"] == 1 =');
    const message = 'Query Error in selector, the filter is not whole';
    api.instead.set('retention', () => message);
    await page.getByRole('button', { name: 'Ask' }).click();
    // The one of the two that can be seen to be wrong.
    await expect.poll(() => seen(page.locator('#complaint-born_where'))).toBe(message);
    expect(await page.locator('#complaint-where').isVisible()).toBe(false);
    api.instead.set('retention', () => 'Query Error in action, no such thing');
    await type('Segment by', 'properties["y"]');
    await page.getByRole('button', { name: 'Ask' }).click();
    await expect.poll(() => seen(page.locator('#complaint-on'))).toBe('Query Error in action, no such thing');
  });

  it('shows other errors by themselves, and a wrong secret beside it', async () => {
    api.instead.set('events/top', () => 'Something else');
    await choose('Top events');
    await page.getByRole('button', { name: 'Ask' }).click();
    await expect.poll(() => seen(page.getByRole('alert'))).toBe('Something else');
    const secret = page.getByLabel('Secret of the project');
    await secret.fill('sec-of-another');
    await secret.press('Enter');
    await page.getByRole('button', { name: 'Ask' }).click();
    await expect.poll(() => seen(page.locator('#complaint-secret'))).toBe('The secret opens no project');
    expect(await page.evaluate(() => sessionStorage.getItem('onwhere-secret'))).toBe('sec-of-another');
    await secret.fill(SECRET);
    await secret.press('Enter');
    await expect.poll(() => secret.getAttribute('aria-invalid')).toBe(null);
  });

  it('offers and checks the names that there are', async () => {
    await fill('Event', 'purchase');
    await type('Filter', 'properties["amuont"] > 1');
    await expect.poll(() => seen(page.locator('#form'))).toContain('Did you mean "amount"?');
    await type('Segment by', '');
    await page.keyboard.type('properties[', { delay: 5 });
    await expect.poll(() => seen(page.locator('.cm-tooltip-autocomplete'))).toMatch(/amount.*\n.*country/s);
    const events = page.locator('#known-events option');
    expect(await events.evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))).toEqual([
      ...['view item', 'purchase', '$experiment'],
    ]);
  });

  it('cancels what takes too long', async () => {
    let answer = (_: object) => {};
    api.instead.set('events/top', () => new Promise<object>((resolve) => { answer = resolve; })); // biome-ignore format: short
    await choose('Top events');
    await page.getByRole('button', { name: 'Ask' }).click();
    await expect.poll(status).toBe('Asking …');
    await expect.poll(() => api.last?.path).toBe('events/top');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(status).toBe('Cancelled.');
    await expect.poll(() => api.abandoned).toBeGreaterThan(0);
    expect(await page.locator('#answer').getAttribute('aria-busy')).toBe('false');
    answer({});
  });

  it('opens and asks what a link says, which has no secret', async () => {
    await askFrom('Segmentation', { Event: `<img src=x> & "it's"` });
    await type('Filter', 'properties["a"] == "%#&"');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(status).toMatch(/^Answered in/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const expected = api.last;
    api.asked.length = 0;
    await visit(page, link);
    await expect.poll(status).toMatch(/^Answered in/);
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
    expect(await page.getByText('The question has changed since.').isVisible()).toBe(true);
  });

  it('follows a link that is chosen just before what was typed is saved as one', async () => {
    await choose('Retention');
    await page.getByLabel('First do', { exact: true }).evaluate((field: HTMLInputElement) => {
      const { setTimeout } = window;
      const waiting: (() => void)[] = [];
      window.setTimeout = ((save: () => void) => waiting.push(save)) as unknown as typeof setTimeout;
      field.value = 'purchase';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      window.setTimeout = setTimeout;
      document.querySelector<HTMLElement>('#queries [href*=addiction]')?.click();
      for (const save of waiting) save();
    });
    await expect.poll(() => seen(page.locator('#title'))).toBe('Addiction');
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible in %s, and fits %i pixels', async (colorScheme, width) => {
    const link = `${api.address}#query=segmentation&event=purchase&on=properties%5B%22country%22%5D`;
    await visit(page, link, { colorScheme, width });
    const look = async () => {
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await expect.poll(status).toMatch(/^Answered in/);
    await look();
    for (const query of ['Funnels', 'Retention', 'People']) {
      await choose(query);
      await ask();
      if (query === 'People') {
        api.instead.set('engage', () => 'Query Error in selector, no');
        await type('Filter', 'properties["x"] = 1 and');
        await page.getByRole('button', { name: 'Ask' }).click();
        await page.locator('#complaint-where').waitFor();
      }
      await look();
    }
  });
});
