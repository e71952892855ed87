import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import { readText } from '../explore/page.ts';
import { DATES, ServerTab } from './server-tab.ts';

/** Links to questions. */
const PURCHASES = '#query=segmentation&event=purchase';
const BY_COUNTRY = `${PURCHASES}&on=${encodeURIComponent('properties["country"]')}`;

describe.skipIf(CHROMIUM === undefined)('answers', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
  });
  afterAll(() => tab.stop());
  afterEach(() => tab.assertNoProblems());

  const segment = (name: string) => tab.answer.getByRole('button', { name, exact: true });

  it('count an event with a filter and a grouping', async () => {
    await tab.visitAnswer(PURCHASES);
    await tab.typeFilter('properties["amount"] > 3');
    await tab.choose('By', 'country');
    const parameters = { event: 'purchase', ...DATES, unit: 'day', where: 'properties["amount"] > 3' };
    await expect
      .poll(() => tab.api.questions)
      .toContainEqual({ path: 'segmentation', parameters: { ...parameters, on: 'properties["country"]' } });
    await tab.expectAnswer();
    // Segments may be cut off, so the whole is asked without them.
    expect(tab.api.questions).toContainEqual({ path: 'segmentation', parameters });
    expect(await tab.readHeadline()).toMatch(/^1,234\b/);
    const rows = await tab.readRows(tab.answer.getByRole('region', { name: 'Total' }).getByRole('table'));
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['NL', '150'],
      ['DE', '24'],
      ['10', '6'],
    ]);
    await tab.answer.getByText('As a table').click();
    const last = tab.answer.locator('details').getByRole('row').last();
    await expect.poll(() => readText(last)).toMatch(/3 June.*\b60\b.*\b9\b.*\b3\b/s);
  });

  it('filter by a segment on a click, and by all others with Alt', async () => {
    await tab.visitAnswer(BY_COUNTRY);
    await segment('NL').click();
    await tab.expectAsked('segmentation', { where: 'properties["country"] == "NL"' });
    await tab.typeFilter('');
    await tab.expectAsked('segmentation', { on: 'properties["country"]' });
    await segment('NL').click({ modifiers: ['Alt'] });
    await tab.expectAsked('segmentation', { where: 'properties["country"] != "NL"' });
    await segment('10').click();
    await expect.poll(() => tab.readStatus()).toBe('The type of this value is unknown. Write the filter by hand.');
    await tab.visitAnswer(`${PURCHASES}&on=${encodeURIComponent('string(properties["country"])')}`);
    expect(await readText(tab.answer)).toContain('NL');
    expect(await segment('NL').count()).toBe(0);
  });

  it('are zoomed by dragging over days of the chart', async () => {
    await tab.visitAnswer(PURCHASES);
    const box = await tab.answer.getByRole('application').boundingBox();
    if (box === null) throw new Error('There is no chart');
    const y = box.y + box.height / 2;
    // The three days are at the start, the middle and the end.
    await tab.page.mouse.move(box.x + box.width * 0.95, y);
    await tab.page.mouse.down();
    await tab.page.mouse.move(box.x + box.width * 0.55, y, { steps: 5 });
    await tab.page.mouse.up();
    await tab.expectAsked('segmentation', { from_date: '2025-06-02', to_date: '2025-06-03' });
    const dates = await tab.openChip('Dates');
    expect(await dates.getByLabel('From').inputValue()).toBe('2025-06-02');
  });

  it('are zoomed with the keyboard', async () => {
    await tab.visitAnswer(PURCHASES);
    await tab.answer.getByRole('application').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await tab.page.keyboard.press(key);
    await tab.expectAsked('segmentation', { from_date: '2025-06-02', to_date: '2025-06-02' });
  });

  it('are saved as CSV, JSON and pictures', async () => {
    await tab.visitAnswer(BY_COUNTRY);
    const buttons = tab.answer.getByRole('group', { name: 'Download' }).getByRole('button');
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
    expect(png.content.length).toBeGreaterThan(5_000);
    await tab.choose('Measure', 'Top events today');
    await tab.expectAsked('events/top', {});
    expect(await buttons.allInnerTexts()).toEqual(['JSON']);
  });

  it('show the filter as SQL of each database', async () => {
    await tab.visitAnswer(PURCHASES);
    const sql = tab.answer.getByRole('button', { name: 'SQL', exact: true });
    expect(await sql.count()).toBe(0);
    await tab.typeFilter('properties["amount"] > 100');
    await tab.expectAsked('segmentation', { where: 'properties["amount"] > 100' });
    await sql.click();
    const texts = tab.answer.getByText(/^SELECT/);
    await expect.poll(() => texts.count()).toBe(4);
    expect(await readText(texts.first())).toMatch(/^SELECT count\(\*\)\sFROM "events"/);
    await tab.typeFilter('properties["amount"] > 250');
    await expect.poll(() => readText(texts.last())).toContain('250');
  });

  it('show the annotations of the dates, and add one', async () => {
    await tab.visitAnswer(PURCHASES);
    const text = tab.answer.getByLabel('Text of the annotation');
    const create = async (description: string) => {
      await text.fill(description);
      await tab.answer.getByRole('button', { name: 'Annotate' }).click();
    };
    expect(await readText(tab.answer.getByRole('listitem'))).toMatch(/2 June.* Sale \ufffd/);
    expect(await tab.answer.getByLabel('Day of the annotation').inputValue()).toBe('2025-06-01');
    await create('Price list');
    const created = () => tab.api.requests.find(({ path }) => path === 'annotations/create')?.parameters;
    await expect.poll(created).toEqual({ date: '2025-06-01 00:00:00', description: 'Price list' });
    // The annotations are read again.
    await expect
      .poll(() => tab.api.requests.map(({ path }) => path).lastIndexOf('annotations'))
      .toBeGreaterThan(tab.api.requests.findIndex(({ path }) => path === 'annotations/create'));
    await tab.expectAnswer();
    tab.api.overrides.set('annotations/create', () => 'This secret opens no changes of annotations');
    await create('Price list');
    await expect.poll(() => tab.readErrors()).toContain('no changes of annotations');
  });

  it('compare with the period before', async () => {
    await tab.visitAnswer(PURCHASES);
    tab.api.requests.length = 0;
    const compare = tab.page.getByRole('button', { name: 'Compare with the period before' });
    await compare.click();
    await expect.poll(() => tab.api.questions.length).toBe(2);
    await tab.expectAnswer();
    const dates = tab.api.questions.map(({ parameters: { from_date, to_date } }) => [from_date, to_date]);
    expect(dates.toSorted()).toEqual([
      ['2025-05-29', '2025-05-31'],
      ['2025-06-01', '2025-06-03'],
    ]);
    expect(await compare.getAttribute('aria-pressed')).toBe('true');
    expect(await readText(tab.answer)).toContain('on 29–31 May');
    await expect.poll(() => new URL(tab.page.url()).hash).toContain('compare=before');
    tab.api.requests.length = 0;
    await compare.click();
    await expect.poll(() => tab.api.questions.length).toBe(1);
    await tab.expectAnswer();
    expect(await readText(tab.answer)).not.toContain('29–31 May');
  });

  it('show what no record has, until the next answer', async () => {
    tab.api.warnings = ['No event is called "purchse". Did you mean "purchase" (\u202e9)?'];
    await tab.visitAnswer('#query=segmentation&event=purchse');
    const warning = tab.page.getByText('No event is called');
    expect(await readText(warning)).toBe('No event is called "purchse". Did you mean "purchase" (\ufffd9)?');
    tab.api.warnings = [];
    await tab.choose('Event', 'purchase');
    await tab.expectAsked('segmentation', { event: 'purchase' });
    expect(await warning.count()).toBe(0);
  });

  it('are ranges, sums and averages of a number', async () => {
    await tab.visitAnswer(`${BY_COUNTRY}`);
    await tab.choose('Measure', 'Ranges of a number');
    // The property that segments are of is no number.
    await expect.poll(() => tab.readStatus()).toBe('Choose: number.');
    await tab.choose('Number', 'amount');
    await tab.fillMore('Number of ranges', '3');
    const parameters = { event: 'purchase', ...DATES, unit: 'day', on: 'number(properties["amount"])' };
    await expect
      .poll(() => tab.api.questions)
      .toContainEqual({ path: 'segmentation/numeric', parameters: { ...parameters, buckets: '3' } });
    await tab.expectAnswer();
    expect(await readText(tab.answer)).toMatch(/0–100/);
    tab.api.requests.length = 0;
    await tab.choose('Measure', 'Sum of a number');
    await tab.expectAsked('segmentation/sum', parameters);
    expect(await tab.readHeadline()).toMatch(/^1,000,009.25/);
    await tab.answer.getByText('As a table').click();
    const sums = () => tab.readRows(tab.answer.locator('details').getByRole('table'));
    await expect
      .poll(async () => (await sums()).map(([, value]) => value))
      .toEqual(['\u22123.25', '12.5', '1,000,000']);
    await tab.choose('Measure', 'Average of a number');
    await tab.expectAsked('segmentation/average', parameters);
    expect(await tab.readHeadline()).toContain('amount');
  });

  it('are asked for the last 30 days if a number has too many', async () => {
    const dates = { from_date: '2025-01-01', to_date: '2025-03-31' };
    await tab.visit(
      `#${new URLSearchParams({ query: 'sum', event: 'purchase', on: 'properties["amount"]', ...dates })}`,
    );
    await expect.poll(() => tab.readStatus()).toContain('This measure covers at most 30 days.');
    expect(tab.api.questions).toEqual([]);
    expect(await tab.readErrors()).toBe('');
    expect(await axeFindings(tab.page)).toEqual([]);
    await tab.page.getByRole('button', { name: 'Show the last 30 days' }).click();
    await tab.expectAsked('segmentation/sum', { from_date: '2025-03-02', to_date: '2025-03-31' });
  });

  it('are several events over time, top events and values of a property', async () => {
    await tab.visitAnswer();
    await tab.choose('Measure', 'Several events');
    await tab.expectAsked('events', { event: '["view item","purchase","$experiment"]' });
    const events = await tab.openChip('Event');
    await events.getByRole('button', { name: '$experiment' }).click();
    await tab.closePopover();
    await tab.choose('Count', 'unique users');
    await tab.choose('Time unit', 'week');
    const counting = { type: 'unique', unit: 'week' };
    await tab.expectAsked('events', { event: '["view item","purchase"]', ...DATES, ...counting });
    await tab.choose('Measure', 'Top events today');
    await tab.expectAsked('events/top', { type: 'unique' });
    await tab.choose('Count', 'total');
    await expect
      .poll(() => tab.readRows())
      .toEqual([
        ['purchase', '30', expect.stringMatching(/^75/), expect.stringMatching(/^\+50/)],
        ['view item', '10', expect.stringMatching(/^25/), expect.stringMatching(/^\u221225/)],
      ]);
    await tab.visitAnswer('#query=properties&event=purchase&name=country');
    await tab.fillMore('Values', 'NL\nDE');
    await tab.expectAsked('events/properties', { event: 'purchase', name: 'country', values: '["NL","DE"]', ...DATES });
  });

  it('are a funnel over the whole range, and each segment', async () => {
    await tab.visitAnswer('#query=funnels');
    tab.api.requests.length = 0;
    await tab.choose('Funnel', 'to come back');
    await tab.choose('By', 'country');
    const parameters = { funnel_id: '7', ...DATES, on: 'properties["country"]' };
    await expect
      .poll(() => tab.api.questions)
      .toEqual(
        expect.arrayContaining([
          { path: 'funnels', parameters: { ...parameters, unit: 'day' } },
          { path: 'funnels', parameters: { ...parameters, unit: 'day', interval: expect.any(String) } },
        ]),
      );
    await tab.expectAnswer();
    expect(await tab.readHeadline()).toMatch(/^5\s*%.*30 of 600 users/s);
    const steps = (await tab.answer.getByRole('list').first().getByRole('listitem').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' '),
    );
    expect(steps).toEqual([
      expect.stringMatching(/1 · view item.*600/),
      expect.stringMatching(/2 · add to cart.*150.*25 %.*1 h 1 min/),
      expect.stringMatching(/3 · purchase.*30.*20 %.*2 h 3 min/),
    ]);
    const rows = await tab.readRows();
    expect(rows.at(-1)?.join(' ')).toMatch(/^NL.*20.*10.*5.*25/s);
  });

  it('are retention and frequency, as a grid of cohorts', async () => {
    await tab.visitAnswer('#query=retention');
    await tab.choose('First event', 'purchase');
    await (await tab.openChip('More')).waitFor();
    await tab.type('First event filter', 'properties["amount"] > 3');
    await tab.closePopover();
    await tab.fillMore('Intervals after the first', '3');
    const born = { born_event: 'purchase', born_where: 'properties["amount"] > 3' };
    await tab.expectAsked('retention', { ...born, ...DATES, interval_count: '3', unit: 'day' });
    const cohorts = tab.answer.getByRole('table').last();
    const rows = () => tab.readRows(cohorts);
    expect((await rows())[0]).toEqual([
      expect.stringMatching(/1 Jun/),
      '100',
      expect.stringMatching(/^80/),
      expect.stringMatching(/^40/),
      expect.stringMatching(/^20/),
      // The last interval is after the data.
      expect.not.stringMatching(/\d/),
    ]);
    const shades = cohorts.locator('tbody tr').first().locator('td, td *');
    const colours = await shades.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
    // None, and one for each interval that is over.
    expect(new Set(colours).size).toBe(3);
    await tab.choose('Measure', 'Frequency');
    await tab.choose('By', 'country');
    await tab.expectAsked('retention/addiction', { ...DATES, on: 'properties["country"]', addiction_unit: 'day' });
    await tab.answer.getByLabel('country').selectOption('DE');
    expect((await rows())[0]?.slice(1, 4)).toEqual(['90', expect.stringMatching(/^100/), expect.stringMatching(/^50/)]);
  });

  it('are people, page by page in one session', async () => {
    await tab.visitAnswer('#query=people');
    await tab.typeFilter('properties["plan"] == "pro"');
    const where = 'properties["plan"] == "pro"';
    await tab.expectAsked('engage', { where });
    const position = () => readText(tab.answer.getByRole('navigation').getByRole('status'));
    expect(await position()).toMatch(/^1–50 of 250/);
    expect((await tab.readRows())[0]).toEqual(['p000', 'p0@example.org', 'pro', '["a","b"]']);
    const next = tab.answer.getByRole('button', { name: 'Next' });
    await next.click();
    await next.click();
    await expect.poll(position).toMatch(/^101–150 of 250/);
    await tab.expectAsked('engage', { where, session_id: 's1', page: '1' });
    await tab.answer.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(position).toMatch(/^51–100 of 250/);
    tab.api.overrides.set('engage', () => 'Invalid parameter: session_id');
    await next.click();
    await expect.poll(() => tab.readErrors()).toBe('Invalid parameter: session_id');
    expect(await position()).toMatch(/^51–100 of 250/);
  });
});
