import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { readCells, readText } from '../explore/page.ts';
import { DATES, ServerTab } from './server-tab.ts';

describe.skipIf(CHROMIUM === undefined)('results', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
  });
  afterAll(() => tab.stop());
  beforeEach(() => tab.visit());
  afterEach(() => tab.assertNoProblems());

  it('runs a segmentation with a filter and a grouping', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    await tab.type('Filter', 'properties["amount"] > 3');
    await tab.type('Group by', 'properties["country"]');
    await tab.run();
    const parameters = { event: 'purchase', ...DATES, where: 'properties["amount"] > 3', on: 'properties["country"]' };
    expect(tab.api.last).toEqual({ path: 'segmentation', parameters });
    const totals = await readCells(tab.page, '[aria-label=Totals] table');
    expect(totals.map((row) => row.slice(0, 3))).toEqual([
      ['NL', '150', '83.3%'],
      ['DE', '24', '13.3%'],
      ['10', '6', '3.3%'],
    ]);
    await tab.page.getByText('By day as a table').click();
    expect((await readCells(tab.page, '#result details table'))[2]).toEqual(['2025-06-03', '60', '9', '3']);
    expect(await tab.page.locator('.legend bdi').allInnerTexts()).toEqual(['NL', 'DE', '10']);
    expect(await tab.page.getByRole('img').locator('canvas').isVisible()).toBe(true);
  });

  it('filters by a segment on a click, and by all others with Alt', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    await tab.type('Group by', 'properties["country"]');
    await tab.run();
    const segment = (name: string) =>
      tab.page.locator('[aria-label=Totals]').getByRole('button', { name, exact: true });
    await segment('NL').click();
    await expect.poll(() => tab.api.last?.parameters.where).toBe('properties["country"] == "NL"');
    await tab.type('Filter', '');
    await segment('NL').click({ modifiers: ['Alt'] });
    await expect.poll(() => tab.api.last?.parameters.where).toBe('properties["country"] != "NL"');
    await tab.type('Filter', '');
    await tab.page.locator('.legend').getByRole('button', { name: 'NL' }).click();
    await expect.poll(() => tab.api.last?.parameters.where).toBe('properties["country"] == "NL"');
    await tab.type('Filter', '');
    await tab.page
      .locator('[aria-label=Totals] .bars')
      .first()
      .click({ modifiers: ['Alt'] });
    await expect.poll(() => tab.api.last?.parameters.where).toBe('properties["country"] != "NL"');
    // Its end replaces the status.
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    await segment('10').click();
    await expect.poll(() => tab.readStatus()).toBe('The type of this value is unknown. Write the filter by hand.');
    await tab.type('Group by', 'string(properties["country"])');
    await tab.run();
    expect(await segment('NL').count()).toBe(0);
  });

  it('asks for the days that are dragged over in the chart', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    await tab.run();
    const box = await tab.page.locator('#result .u-over').boundingBox();
    if (box === null) throw new Error('There is no chart');
    const y = box.y + box.height / 2;
    // The three days are at the start, the middle and the end.
    await tab.page.mouse.move(box.x + box.width * 0.3, y);
    await tab.page.mouse.down();
    await tab.page.mouse.move(box.x + box.width * 0.7, y, { steps: 5 });
    await tab.page.mouse.up();
    await expect.poll(() => tab.api.last?.parameters).toMatchObject({ from_date: '2025-06-02', to_date: '2025-06-02' });
    await expect.poll(() => tab.page.getByLabel('From', { exact: true }).inputValue()).toBe('2025-06-02');
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
  });

  it('saves a result as CSV, JSON and a picture', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    await tab.type('Group by', 'properties["country"]');
    await tab.run();
    const buttons = tab.page.getByRole('group', { name: 'Download' }).getByRole('button');
    const save = async (name: string) => {
      const [download] = await Promise.all([
        tab.page.waitForEvent('download'),
        buttons.getByText(name, { exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
    };
    const csv = await save('CSV');
    expect(csv.name).toBe('segmentation.csv');
    const [head, first] = String(csv.content).split('\r\n');
    expect(head?.split(',').sort()).toEqual(['10', 'DE', 'NL', 'time']);
    expect(first).toMatch(/^2025-06-01,\d+,\d+,\d+$/);
    const json = await save('JSON');
    expect(JSON.parse(String(json.content)).data.series).toEqual(['2025-06-01', '2025-06-02', '2025-06-03']);
    const svg = await save('SVG');
    expect(String(svg.content)).toMatch(
      /^<svg .*<polyline points="[^"]+" fill="none" stroke="(rgb|color).*>NL<.*<\/svg>\n$/,
    );
    const png = await save('PNG');
    expect([png.name, String(png.content.subarray(1, 4))]).toEqual(['segmentation.png', 'PNG']);
    await tab.choose('Top events');
    await tab.run();
    expect(await buttons.allInnerTexts()).toEqual(['JSON']);
  });

  it('shows the filter as SQL of each database', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    const sql = tab.page.locator('#sql');
    expect(await sql.isVisible()).toBe(false);
    await tab.type('Filter', 'properties["amount"] > 100');
    await sql.locator('summary').click();
    await expect.poll(() => readText(sql.locator('#command-duckdb'))).toMatch(/^SELECT count\(\*\)\sFROM "events"/);
    await tab.type('Filter', 'properties["amount"] > 250');
    await expect.poll(() => readText(sql.locator('#command-postgresql'))).toContain('250');
  });

  it('shows the annotations of the dates, and adds one', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    await tab.run();
    const annotations = tab.page.locator('.annotations');
    expect(await readText(annotations.locator('li'))).toBe('2025-06-02 Sale \ufffd');
    expect(await annotations.getByLabel('Day of the annotation').inputValue()).toBe('2025-06-01');
    await annotations.getByLabel('Text of the annotation').fill('Price list');
    await annotations.getByRole('button', { name: 'Annotate' }).click();
    const created = () => tab.api.requests.find(({ path }) => path === 'annotations/create')?.parameters;
    await expect.poll(created).toEqual({ date: '2025-06-01 00:00:00', description: 'Price list' });
    await expect.poll(() => annotations.getByLabel('Text of the annotation').inputValue()).toBe('');
    tab.api.overrides.set('annotations/create', () => 'This secret opens no changes of annotations');
    await annotations.getByLabel('Text of the annotation').fill('Price list');
    await annotations.getByRole('button', { name: 'Annotate' }).click();
    await expect.poll(() => readText(tab.page.getByRole('alert'))).toContain('no changes of annotations');
  });

  it('compares with the period before', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    await tab.page.getByLabel('Compare with').selectOption('before');
    await tab.run();
    const asked = tab.api.requests.filter(({ path }) => path === 'segmentation').slice(-2);
    expect(asked.map(({ parameters }) => parameters.to_date)).toEqual(['2025-06-03', '2025-05-31']);
    expect(await readText(tab.page.locator('.legend'))).toContain('purchase, before');
    await expect.poll(() => new URL(tab.page.url()).hash).toContain('compare=before');
    await tab.page.getByLabel('Compare with').selectOption('');
    await expect.poll(() => tab.page.locator('#stale').isVisible()).toBe(true);
  });

  it('shows what no record has, until the next query', async () => {
    tab.api.warnings = ['No event is called "purchse". Did you mean "purchase" (\u202e9)?'];
    await tab.open('Segmentation', { Event: 'purchse' });
    await tab.run();
    const warnings = () => readText(tab.page.locator('#warnings'));
    expect(await warnings()).toBe('No event is called "purchse". Did you mean "purchase" (\ufffd9)?');
    tab.api.warnings = [];
    await tab.run();
    expect(await warnings()).toBe('');
  });

  it('runs ranges, sums and averages of a number', async () => {
    await tab.open('Ranges', { Event: 'purchase', 'Number of ranges': '3' });
    await tab.type('Numeric expression', 'properties["amount"]');
    await tab.run();
    const parameters = { event: 'purchase', ...DATES, on: 'properties["amount"]' };
    expect(tab.api.last).toEqual({ path: 'segmentation/numeric', parameters: { ...parameters, buckets: '3' } });
    const ranges = (await readCells(tab.page, '[aria-label=Totals] table')).map(([name]) => name);
    expect(ranges).toEqual(['0 - 100', '100 - 200', '1,000 - 1,100']);
    await tab.choose('Sum');
    await tab.run();
    expect(tab.api.last).toEqual({ path: 'segmentation/sum', parameters });
    const sums = await readCells(tab.page, '#result table');
    expect(sums).toEqual([
      ['2025-06-01', '-3.25'],
      ['2025-06-02', '12.5'],
      ['2025-06-03', '1,000,000'],
    ]);
    await tab.choose('Average');
    await tab.run();
    expect(tab.api.last).toEqual({ path: 'segmentation/average', parameters });
  });

  it('runs events over time, top events and properties', async () => {
    await tab.open('Events', { Events: 'purchase\nview item' });
    await tab.page.getByLabel('Count').selectOption('unique');
    await tab.page.getByLabel('Time unit').selectOption('week');
    await tab.run();
    const counting = { type: 'unique', unit: 'week' };
    expect(tab.api.last).toEqual({
      path: 'events',
      parameters: { event: '["purchase","view item"]', ...DATES, ...counting },
    });
    // The same user may be in several weeks, so there are no totals.
    expect(await tab.page.locator('[aria-label=Totals]').count()).toBe(0);
    await tab.choose('Top events');
    await tab.run();
    expect((await readCells(tab.page, '#result table')).map((row) => row.slice(0, 4))).toEqual([
      ['purchase', '30', '+50%', '75%'],
      ['view item', '10', '-25%', '25%'],
    ]);
    await tab.open('Properties', { Event: 'purchase', Property: 'country', Values: 'NL\nDE' });
    await tab.run();
    const parameters = { event: 'purchase', name: 'country', values: '["NL","DE"]', ...DATES, ...counting };
    expect(tab.api.last).toEqual({ path: 'events/properties', parameters });
  });

  it('runs a funnel and shows all dates or one, and each segment', async () => {
    await tab.open('Funnels');
    await expect.poll(() => readText(tab.page.getByLabel('Funnel', { exact: true }))).toContain('to come back');
    await tab.page.getByLabel('Funnel', { exact: true }).selectOption('to come back');
    await tab.type('Group by', 'properties["country"]');
    await tab.run();
    const parameters = { funnel_id: '7', ...DATES, on: 'properties["country"]' };
    expect(tab.api.last).toEqual({ path: 'funnels', parameters });
    const rows = () => readCells(tab.page, '#result table');
    expect(await rows()).toEqual([
      ['1. view item', '600', '100%', '', '', ''],
      ['2. add to cart', '150', '25%', '', '25%', '1 h 1 min'],
      ['3. purchase', '30', '5%', '', '20%', '2 h 3 min'],
    ]);
    await tab.page.getByLabel('Date').selectOption('2025-06-02');
    expect((await rows())[1]).toEqual(['2. add to cart', '50', '25%', '', '25%', '1 h 1 min']);
    await tab.page.getByLabel('Segment', { exact: true }).selectOption('NL');
    expect((await rows())[2]).toEqual(['3. purchase', '5', '25%', '', '50%', '2 h 3 min']);
  });

  it('runs retention and frequency, and shows cohorts as a shaded grid', async () => {
    await tab.open('Retention', { 'First event': 'purchase', 'Intervals after the first': '3' });
    await tab.type('First event filter', 'properties["amount"] > 3');
    await tab.run();
    const born = { born_event: 'purchase', born_where: 'properties["amount"] > 3' };
    expect(tab.api.last).toEqual({ path: 'retention', parameters: { ...born, ...DATES, interval_count: '3' } });
    const rows = () => readCells(tab.page, '#result table');
    expect((await rows())[2]).toEqual(['2025-06-03', '100', '80%', '40%', '20%', '10%']);
    expect(await tab.page.locator('thead th').allInnerTexts()).toEqual([
      'Cohort',
      'Users',
      ...['day 0', 'day 1', 'day 2', 'day 3'],
    ]);
    const shades = tab.page.locator('#result tbody tr').nth(2).locator('[data-shade]');
    const colours = await shades.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
    expect(new Set(colours).size).toBe(4);
    await tab.page.getByLabel('Show').selectOption('users');
    expect((await rows())[2]).toEqual(['2025-06-03', '100', '80', '40', '20', '10']);
    await tab.choose('Frequency');
    await tab.type('Group by', 'properties["country"]');
    await tab.run();
    expect(tab.api.last).toEqual({
      path: 'retention/addiction',
      parameters: { ...DATES, on: 'properties["country"]' },
    });
    await tab.page.getByLabel('Segment', { exact: true }).selectOption('DE');
    expect((await rows())[0]).toEqual(['2025-06-01', '90', '100%', '50%', '12.2%', '0%']);
  });

  it('pages through people with one session', async () => {
    await tab.choose('People');
    await tab.type('Filter', 'properties["plan"] == "pro"');
    await tab.run();
    const where = 'properties["plan"] == "pro"';
    expect(tab.api.last).toEqual({ path: 'engage', parameters: { where } });
    const position = tab.page.locator('.pages [role=status]');
    expect(await readText(position)).toBe('1–50 of 250');
    expect((await readCells(tab.page, '#result table'))[0]).toEqual(['p000', 'p0@example.org', 'pro', '["a","b"]']);
    await tab.type('Filter', 'false');
    const next = tab.page.getByRole('button', { name: 'Next' });
    await next.click();
    await next.click();
    await expect.poll(() => readText(position)).toBe('101–150 of 250');
    expect(tab.api.last).toEqual({ path: 'engage', parameters: { where, session_id: 's1', page: '1' } });
    await tab.page.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => readText(position)).toBe('51–100 of 250');
    tab.api.overrides.set('engage', () => 'Invalid parameter: session_id');
    await next.click();
    await expect.poll(() => readText(tab.page.getByRole('alert'))).toBe('Invalid parameter: session_id');
    expect(await readText(position)).toBe('51–100 of 250');
  });
});
