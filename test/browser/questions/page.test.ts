import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM, clickRun } from '../chromium.ts';
import { readText, visit } from '../explore/page.ts';
import { SECRET } from './fake-api.ts';
import { DATES, ServerTab } from './server-tab.ts';

const isFocused = (element: Element) => element === (element.getRootNode() as ShadowRoot).activeElement;

describe.skipIf(CHROMIUM === undefined)('the page of a server', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
  });
  afterAll(() => tab.stop());
  beforeEach(() => tab.visit());
  afterEach(() => tab.assertNoProblems());

  it('shows errors next to their fields', async () => {
    const errors = [
      ['Missing required parameter: event', 'field-event', 'purchase'],
      ['Invalid date range', 'field-to_date', '2025-06-30'],
      ['Invalid parameter: limit', 'field-limit', '1'],
    ] as const;
    for (const [message, id, better] of errors) {
      tab.api.overrides.set('segmentation', () => message);
      await clickRun(tab.page);
      const field = tab.page.locator(`#${id}`);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      expect(await readText(tab.page.locator(`#${await field.getAttribute('aria-describedby')}`))).toBe(message);
      expect(await readText(tab.page.getByRole('alert'))).toBe('');
      await field.fill(better);
      expect(await field.getAttribute('aria-invalid')).toBe(null);
    }
  });

  it('shows errors in expressions next to their editors', async () => {
    await tab.choose('Retention');
    await tab.type('Return event filter', 'properties["x"]');
    const message = 'Query Error in selector, the filter fails on an event';
    tab.api.overrides.set('retention', () => message);
    await clickRun(tab.page);
    await expect.poll(() => readText(tab.page.locator('#error-where'))).toBe(message);
    tab.api.overrides.set('retention', () => 'Query Error in action, no such thing');
    await tab.type('Group by', 'properties["y"]');
    await clickRun(tab.page);
    await expect.poll(() => readText(tab.page.locator('#error-on'))).toBe('Query Error in action, no such thing');
  });

  it('does not run an expression with an error, which it tells once', async () => {
    await tab.choose('Retention');
    await tab.type('First event filter', 'properties["x"] = 1');
    await tab.page.getByLabel('First event', { exact: true }).focus();
    const asked = tab.api.requests.length;
    await clickRun(tab.page);
    await expect.poll(() => tab.readStatus()).toBe('Not run: the form has an error.');
    expect(await tab.page.getByLabel('First event filter', { exact: true }).evaluate(isFocused)).toBe(true);
    expect(await tab.page.locator('#form .error:visible').count()).toBe(1);
    expect(tab.api.requests.slice(asked)).toEqual([]);
    await tab.page.getByRole('button', { name: 'Write `==`' }).first().click();
    await tab.run();
  });

  it('asks the funnel that it shows first', async () => {
    await tab.open('Funnels');
    await expect.poll(() => readText(tab.page.getByLabel('Funnel', { exact: true }))).toContain('to buy');
    await tab.run();
    expect(tab.api.last?.parameters).toMatchObject({ funnel_id: '3' });
    tab.api.overrides.set('funnels/list', () => []);
    await tab.visit();
    await tab.choose('Funnels');
    await expect.poll(() => readText(tab.page.getByLabel('Funnel', { exact: true }))).toBe('the steps below');
  });

  it('asks a funnel of given steps, which the link carries', async () => {
    await tab.open('Funnels');
    await tab.page.getByLabel('Funnel', { exact: true }).selectOption('own');
    await clickRun(tab.page);
    await expect.poll(() => readText(tab.page.locator('#error-steps'))).toBe('Name the event of a step.');
    await tab.fill('Event of step 1', 'view item');
    await tab.page.getByText('+ Step').click();
    await tab.fill('Event of step 3', 'purchase');
    await tab.page.locator('.steps summary').last().click();
    await tab.type('Filter of step 3', 'properties["amount"] > 1');
    await tab.page.getByRole('button', { name: 'Remove step 2' }).click();
    await tab.run();
    const steps = [{ event: 'view item' }, { event: 'purchase', where: 'properties["amount"] > 1' }];
    expect(tab.api.last?.parameters).toEqual({ steps: JSON.stringify(steps), ...DATES });
    expect(new URL(tab.page.url()).hash).toContain('purchase');
    await tab.page.reload();
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    expect(await tab.page.getByLabel('Event of step 2').inputValue()).toBe('purchase');
    expect(tab.api.last?.parameters).toMatchObject({ steps: JSON.stringify(steps) });
  });

  it('keeps what was filled in for the query that it belongs to', async () => {
    const field = (label: string) => tab.page.getByLabel(label, { exact: true });
    const open = async (query: string) => {
      await tab.choose(query);
      const title = query === 'Sum' ? 'Segmentation' : query;
      await expect.poll(() => readText(tab.page.locator('#title'))).toBe(title);
    };
    await tab.fill('Event', 'purchase');
    await tab.type('Group by', 'properties["country"]');
    await open('Events');
    expect(await field('Events').inputValue()).toBe('');
    await tab.fill('Events', 'purchase\nview item');
    await open('Properties');
    expect(await field('Event').inputValue()).toBe('purchase');
    await open('Sum');
    await expect.poll(async () => (await readText(field('Numeric expression'))).trim()).toBe('');
    await open('Segmentation');
    await expect.poll(() => readText(field('Group by'))).toBe('properties["country"]');
  });

  it('runs the query of a link once Enter is pressed in the secret', async () => {
    await tab.open('Segmentation', { Event: 'purchase' });
    const secret = tab.page.getByLabel('Project secret');
    await secret.fill('');
    await secret.blur();
    await secret.fill(SECRET);
    await secret.press('Enter');
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    expect(tab.api.last).toMatchObject({ path: 'segmentation', parameters: { event: 'purchase' } });
    await tab.visit();
    await secret.fill(SECRET);
    await secret.press('Enter');
    await expect.poll(() => tab.readStatus()).toBe('Fill in the form, then run the query.');
  });

  it('shows other errors above the results, and a wrong secret next to its field', async () => {
    tab.api.overrides.set('events/top', () => 'Something else');
    await tab.choose('Top events');
    await clickRun(tab.page);
    await expect.poll(() => readText(tab.page.getByRole('alert'))).toBe('Something else');
    const secret = tab.page.getByLabel('Project secret');
    await secret.fill('sec-of-another');
    await secret.press('Enter');
    await clickRun(tab.page);
    await expect.poll(() => readText(tab.page.locator('#error-secret'))).toBe('The secret opens no project');
    expect(await tab.page.evaluate(() => sessionStorage.getItem('onwhere-secret'))).toBe('sec-of-another');
    await secret.fill(SECRET);
    await secret.press('Enter');
    await expect.poll(() => secret.getAttribute('aria-invalid')).toBe(null);
  });

  it('suggests the names of the project and checks expressions against them', async () => {
    await tab.fill('Event', 'purchase');
    await tab.type('Filter', 'properties["amuont"] > 1');
    const messages = tab.page.locator('.expression', { hasText: 'where' }).locator('.messages');
    await expect.poll(() => readText(messages)).toContain('Did you mean "amount"?');
    await tab.type('Group by', '');
    await tab.page.keyboard.type('properties[', { delay: 5 });
    await expect.poll(() => readText(tab.page.locator('.cm-tooltip-autocomplete'))).toMatch(/amount.*\n.*country/s);
    const events = tab.page.locator('#known-events option');
    expect(await events.evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))).toEqual([
      ...['view item', 'purchase', '$experiment'],
    ]);
  });

  it('cancels a query', async () => {
    let answer = (_: object) => {};
    tab.api.overrides.set('events/top', () => new Promise<object>((resolve) => { answer = resolve; })); // biome-ignore format: short
    await tab.choose('Top events');
    await clickRun(tab.page);
    await expect.poll(() => tab.readStatus()).toBe('Running …');
    await expect.poll(() => tab.api.last?.path).toBe('events/top');
    await tab.page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => tab.readStatus()).toBe('Cancelled.');
    await expect.poll(() => tab.api.abandoned).toBeGreaterThan(0);
    expect(await tab.page.locator('#result').getAttribute('aria-busy')).toBe('false');
    answer({});
  });

  it('opens and runs the query of a link, which has no secret', async () => {
    await tab.open('Segmentation', { Event: `<img src=x> & "it's"` });
    await tab.type('Filter', 'properties["a"] == "%#&"');
    await tab.page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.page.getByRole('button', { name: 'Copy link' }).click();
    await tab.page.getByText('Copied.').waitFor();
    const link = await tab.page.evaluate(() => navigator.clipboard.readText());
    const expected = tab.api.last;
    tab.api.requests.length = 0;
    await visit(tab.page, link);
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    expect(tab.api.last).toEqual(expected);
    await tab.page.getByText('As a command').click();
    expect(await tab.page.locator('#command-curl').textContent()).toBe(
      [
        'curl -u "$ONWHERE_SECRET:"',
        `'${tab.api.address}api/2.0/segmentation/'`,
        `--data-urlencode 'event=<img src=x> & "it'\\''s"'`,
        "--data-urlencode 'from_date=2025-06-01'",
        "--data-urlencode 'to_date=2025-06-03'",
        `--data-urlencode 'where=properties["a"] == "%#&"'`,
      ].join(' \\\n  '),
    );
    await tab.fill('Event', 'other');
    expect(await tab.page.getByText('The query has changed. Run it to update the results.').isVisible()).toBe(true);
  });

  it('follows a link that is clicked just before a change is saved', async () => {
    await tab.choose('Retention');
    await tab.page.getByLabel('First event', { exact: true }).evaluate((field: HTMLInputElement) => {
      const { setTimeout } = window;
      const waiting: (() => void)[] = [];
      window.setTimeout = ((save: () => void) => waiting.push(save)) as unknown as typeof setTimeout;
      field.value = 'purchase';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      window.setTimeout = setTimeout;
      document.querySelector<HTMLElement>('#queries [href*=addiction]')?.click();
      for (const save of waiting) save();
    });
    await expect.poll(() => readText(tab.page.locator('#title'))).toBe('Frequency');
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible in the %s theme and fits %i pixels', async (colorScheme, width) => {
    const link = `${tab.api.address}#query=segmentation&event=purchase&on=properties%5B%22country%22%5D`;
    await visit(tab.page, link, { colorScheme, width });
    const look = async () => {
      expect(await axeFindings(tab.page)).toEqual([]);
      expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    };
    await expect.poll(() => tab.readStatus()).toMatch(/^Finished in/);
    await look();
    for (const query of ['Funnels', 'Retention', 'People']) {
      await tab.choose(query);
      await tab.run();
      if (query === 'People') {
        await tab.type('Filter', 'properties["x"] = 1 and');
        await clickRun(tab.page);
        await tab.page.locator('#form .error:visible').first().waitFor();
        await look();
        tab.api.overrides.set('engage', () => 'Query Error in selector, no');
        await tab.type('Filter', 'properties["x"] == 1');
        await clickRun(tab.page);
        await tab.page.locator('#error-where').waitFor();
      }
      await look();
    }
  });
});
