import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import { LOOKS, readText, visit } from '../explore/page.ts';
import { SECRET } from './fake-api.ts';
import { DATES, ServerTab } from './server-tab.ts';

/** The question of each tab on a first visit: the link that opens it, its endpoint and its parameters. */
const FIRST = {
  Trends: ['#query=segmentation', 'segmentation', { event: 'view item', ...DATES, unit: 'day' }],
  Funnels: ['#query=funnels', 'funnels', { funnel_id: '3', ...DATES, unit: 'day' }],
  Retention: ['#query=retention', 'retention', { born_event: 'view item', ...DATES, unit: 'day', interval_count: '2' }],
  People: ['#query=people', 'engage', {}],
} as const;

const TABS = Object.keys(FIRST) as (keyof typeof FIRST)[];

describe.skipIf(CHROMIUM === undefined)('the page of a server', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
  });
  afterAll(() => tab.stop());
  afterEach(() => tab.assertNoProblems());

  /** Returns what has the focus: its role or tag, and its name. */
  const readFocus = () =>
    tab.page.evaluate(() => {
      const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      const name = focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
      return `${focused?.tagName.toLowerCase()} ${name.replace(/\s+/g, ' ').trim()}`;
    });

  describe('the first answer', () => {
    it.each(Object.entries(FIRST))('of %s needs no click', async (_, [link, path, parameters]) => {
      await tab.visitAnswer(link);
      expect(tab.api.questions).toContainEqual({ path, parameters });
      expect(await tab.readHeadline()).toMatch(/\d/);
      expect(await tab.readErrors()).toBe('');
    });

    it('is that of trends without a link', async () => {
      await tab.visitAnswer();
      expect(await tab.readHeadline()).toContain('1,234');
    });

    it('follows each tab, which keeps the focus', async () => {
      await tab.visitAnswer();
      for (const name of [...TABS.slice(1), 'Trends'] as const) {
        await tab.open(name);
        await tab.expectAsked(FIRST[name][1], FIRST[name][2]);
        expect(await readFocus()).toBe(`a ${name}`);
      }
    });

    it('waits for the secret, and says so', async () => {
      await tab.visit();
      await tab.expectAnswer();
      await tab.page.getByRole('button', { name: 'Sign out' }).click();
      await expect.poll(() => tab.readStatus()).toBe('Enter the project secret.');
      expect(await tab.answer.count()).toBe(0);
    });
  });

  describe('with the question of trends', () => {
    beforeEach(() => tab.visitAnswer());

    it('shows an error in words between the question and the answer before, until the next answer', async () => {
      tab.api.overrides.set('segmentation', () => 'Invalid date range');
      await tab.choose('Event', 'purchase');
      await expect.poll(() => tab.readErrors()).toBe('Invalid date range');
      const boxes = [tab.page.getByRole('group', { name: 'Question' }), tab.page.getByRole('alert'), tab.answer];
      const tops = await Promise.all(boxes.map(async (part) => (await part.boundingBox())?.y ?? 0));
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
      expect(await tab.readHeadline()).toContain('1,234');
      expect(await tab.answer.getAttribute('data-stale')).toBe('true');
      tab.api.overrides.clear();
      await tab.choose('Event', '$experiment');
      await tab.expectAsked('segmentation', { event: '$experiment' });
      expect(await tab.readErrors()).toBe('');
    });

    it('says that the server cannot be reached', async () => {
      await tab.page.route('**/api/2.0/segmentation/', (route) => route.abort());
      await tab.choose('Event', 'purchase');
      await expect.poll(() => tab.readErrors()).toBe('The server cannot be reached.');
      await tab.page.unroute('**/api/2.0/segmentation/');
      tab.takeProblems();
    });

    it('asks no filter with an error, which it tells beside the filter', async () => {
      tab.api.requests.length = 0;
      await tab.typeFilter('properties["amount"] = 1');
      await expect.poll(() => tab.readStatus()).toBe('Filter is not a whole expression yet.');
      const fix = tab.page.getByRole('button', { name: 'Write `==`' }).first();
      await fix.waitFor();
      expect(tab.api.questions).toEqual([]);
      await fix.click();
      await tab.expectAsked('segmentation', { where: 'properties["amount"] == 1' });
      expect(await tab.readStatus()).toBe('');
    });

    it('opens a chip, closes it with Escape and returns the focus to it', async () => {
      for (const label of ['Measure', 'Event', 'Dates', 'Time unit', 'By', 'More', 'Filter', 'Source']) {
        const chip = tab.chip(label);
        await chip.focus();
        await tab.page.keyboard.press('Enter');
        const popover = tab.page.getByRole('dialog', { name: label, exact: true });
        await popover.waitFor();
        expect(await chip.getAttribute('aria-expanded'), label).toBe('true');
        await expect
          .poll(() => popover.evaluate((box) => box.contains(document.activeElement)), { message: label })
          .toBe(true);
        await tab.page.keyboard.press('Escape');
        await popover.waitFor({ state: 'detached' });
        expect(await chip.evaluate((button) => button === document.activeElement), label).toBe(true);
        expect(await chip.getAttribute('aria-expanded'), label).toBe('false');
      }
    });

    it('closes a chip with a click outside', async () => {
      const popover = await tab.openChip('Event');
      await popover.waitFor();
      await tab.page.getByRole('banner').getByRole('heading').click();
      await popover.waitFor({ state: 'detached' });
    });

    it('asks with the keyboard alone', async () => {
      await tab.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const press = async (wanted: string) => {
        for (let presses = 0; presses < 60; presses++) {
          await tab.page.keyboard.press('Tab');
          const focus = await readFocus();
          if (focus === wanted) return;
        }
        throw new Error(`The Tab key does not reach ${wanted}.`);
      };
      await press('a Retention');
      await tab.page.keyboard.press('Enter');
      await tab.expectAsked('retention', FIRST.Retention[2]);
      await press('button First event: view item');
      await tab.page.keyboard.press('Enter');
      await expect.poll(readFocus).toBe('input Search: First event');
      await tab.page.keyboard.type('pur');
      await tab.page.keyboard.press('ArrowDown');
      await expect.poll(readFocus).toMatch(/^button purchase/);
      await tab.page.keyboard.press('Enter');
      await tab.expectAsked('retention', { born_event: 'purchase' });
      expect(await readFocus()).toBe('button First event: purchase');
      await press('button Add: Filter');
      await tab.page.keyboard.press('Enter');
      await expect.poll(readFocus).toBe('button country');
      await tab.page.keyboard.press('Enter');
      await expect.poll(readFocus).toMatch(/^button NL/);
      await tab.page.keyboard.press('Enter');
      await tab.expectAsked('retention', { where: 'properties["country"] == "NL"' });
      expect(await readFocus()).toBe('button Add: Filter');
      await press('button Remove: Condition');
      await tab.page.keyboard.press('Enter');
      await expect.poll(() => tab.api.questions.map(({ parameters }) => parameters.where)).toEqual([undefined]);
      expect(await readFocus()).not.toMatch(/^body/);
    });

    it('keeps what was chosen for the questions that have it', async () => {
      await tab.choose('Event', 'purchase');
      await tab.choose('By', 'country');
      await tab.choose('Measure', 'Several events');
      await tab.expectAsked('events', { event: '["view item","purchase","$experiment"]' });
      await tab.choose('Measure', 'Values of a property');
      await expect.poll(() => tab.readStatus()).toBe('Choose: property.');
      await tab.choose('Property', 'country');
      await tab.expectAsked('events/properties', { event: 'purchase', name: 'country' });
      await tab.choose('Measure', 'Sum of a number');
      await expect.poll(() => tab.readStatus()).toBe('Choose: number.');
      await tab.choose('Measure', 'Unique users');
      await tab.expectAsked('segmentation', { event: 'purchase', on: 'properties["country"]', type: 'unique' });
    });

    it('returns to the last question of each tab', async () => {
      await tab.open('Retention');
      await tab.choose('Measure', 'Frequency');
      await tab.expectAsked('retention/addiction', {});
      await tab.open('People');
      await tab.expectAsked('engage', {});
      await tab.open('Retention');
      await tab.expectAsked('retention/addiction', {});
    });

    it('goes back and forward with the browser', async () => {
      await tab.choose('Event', 'purchase');
      await expect.poll(() => tab.page.url()).toContain('event=purchase');
      await tab.open('Funnels');
      await tab.expectAsked('funnels', {});
      await tab.page.goBack();
      await tab.expectAsked('segmentation', { event: 'purchase' });
      await expect.poll(() => readText(tab.chip('Event'))).toContain('purchase');
      await tab.page.goForward();
      await tab.expectAsked('funnels', {});
    });

    it('follows a link that is clicked just before a change is saved', async () => {
      const popover = await tab.openChip('Dates');
      await popover.getByLabel('From').evaluate((field: HTMLInputElement) => {
        const { setTimeout } = window;
        const waiting: (() => void)[] = [];
        window.setTimeout = ((save: () => void) => waiting.push(save)) as unknown as typeof setTimeout;
        field.value = '2025-06-02';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        window.setTimeout = setTimeout;
        document.querySelector<HTMLElement>('nav [href*=retention]')?.click();
        for (const save of waiting) save();
      });
      await tab.expectAsked('retention', { from_date: '2025-06-02' });
    });

    it('suggests the names of the project and checks expressions against them', async () => {
      await tab.choose('Event', 'purchase');
      await tab.typeFilter('properties["amuont"] > 1');
      await tab.page.getByText('Did you mean "amount"?').waitFor();
      await tab.typeFilter('');
      await tab.page.keyboard.type('properties[', { delay: 5 });
      await expect.poll(() => readText(tab.page.locator('.cm-tooltip-autocomplete'))).toMatch(/amount.*\n.*country/s);
      await tab.page.keyboard.press('Escape');
      const events = (await tab.openChip('Event')).getByRole('listitem');
      expect(await events.allInnerTexts()).toEqual([
        expect.stringContaining('view item'),
        expect.stringContaining('purchase'),
        expect.stringContaining('$experiment'),
      ]);
    });

    it('aborts a question that has changed', async () => {
      let answer = (_: object) => {};
      tab.api.overrides.set('segmentation', ({ event }) =>
        event === 'purchase' ? new Promise<object>((resolve) => { answer = resolve; }) : { data: { series: [], values: {} } }); // biome-ignore format: short
      const before = tab.api.abandoned;
      await tab.choose('Event', 'purchase');
      await expect.poll(() => tab.api.questions.at(-1)?.parameters.event).toBe('purchase');
      expect(await tab.answer.getAttribute('aria-busy')).toBe('true');
      await tab.choose('Event', '$experiment');
      await tab.expectAsked('segmentation', { event: '$experiment' });
      await expect.poll(() => tab.api.abandoned).toBeGreaterThan(before);
      expect(await tab.answer.getAttribute('aria-busy')).toBe('false');
      answer({});
    });

    it('copies a link that asks the same question, without the secret', async () => {
      await tab.enter('Event', `<img src=x> & "it's"`);
      await tab.typeFilter('properties["a"] == "%#&"');
      const parameters = {
        event: `<img src=x> & "it's"`,
        ...DATES,
        unit: 'day',
        where: 'properties["a"] == "%#&"',
      };
      await tab.expectAsked('segmentation', parameters);
      await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await tab.page.getByRole('button', { name: 'Copy link' }).click();
      await tab.page.getByText('Copied.').waitFor();
      const link = await tab.page.evaluate(() => navigator.clipboard.readText());
      expect(link).not.toContain(SECRET);
      await visit(tab.page, link);
      await tab.expectAnswer();
      expect(tab.api.questions).toEqual([{ path: 'segmentation', parameters }]);
      await tab.page.getByRole('button', { name: 'As a command' }).click();
      expect(await tab.answer.getByText(/^curl/).textContent()).toBe(
        [
          'curl -u "$ONWHERE_SECRET:"',
          `'${tab.api.address}api/2.0/segmentation/'`,
          `--data-urlencode 'event=<img src=x> & "it'\\''s"'`,
          "--data-urlencode 'from_date=2025-06-01'",
          "--data-urlencode 'to_date=2025-06-03'",
          "--data-urlencode 'unit=day'",
          `--data-urlencode 'where=properties["a"] == "%#&"'`,
        ].join(' \\\n  '),
      );
    });
  });

  it('asks a funnel of own steps, which the link carries', async () => {
    await tab.visitAnswer('#query=funnels');
    expect(await readText(tab.chip('Funnel'))).toContain('to buy');
    await tab.choose('Funnel', 'Own steps');
    await tab.expectAsked('funnels', { steps: '[{"event":"view item"},{"event":"purchase"}]' });
    await tab.choose('Step', '$experiment');
    await tab.openChip('Step 3');
    await tab.type('Filter of step 3', 'properties["amount"] > 1');
    await tab.closePopover();
    await tab.page.getByRole('button', { name: 'Remove: Step 2' }).click();
    const steps = [{ event: 'view item' }, { event: '$experiment', where: 'properties["amount"] > 1' }];
    const parameters = { steps: JSON.stringify(steps), ...DATES };
    await expect
      .poll(() => tab.api.questions)
      .toContainEqual({ path: 'funnels', parameters: { ...parameters, unit: 'day' } });
    await tab.expectAnswer();
    // The page saves its link once nothing has changed for a moment, so it has a link with the removed step before.
    await expect.poll(() => new URL(tab.page.url()).hash).not.toContain('purchase');
    await tab.page.reload();
    await tab.expectAnswer();
    expect(await readText(tab.chip('Step 2'))).toContain('$experiment, filtered');
    await tab.expectAsked('funnels', parameters);
  });

  it('asks the steps of the top events without a saved funnel', async () => {
    tab.api.overrides.set('funnels/list', () => []);
    await tab.visitAnswer('#query=funnels');
    const steps = [{ event: 'view item' }, { event: 'purchase' }, { event: '$experiment' }];
    await tab.expectAsked('funnels', { steps: JSON.stringify(steps), ...DATES, unit: 'day' });
    expect(await tab.chip('Funnel').count()).toBe(0);
  });

  it('asks the question of a link once the secret is entered, and forgets the secret on signing out', async () => {
    await tab.visitAnswer('#query=segmentation&event=purchase');
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    const secret = tab.page.getByLabel('Project secret');
    expect(await secret.inputValue()).toBe('');
    expect(await tab.page.evaluate(() => sessionStorage.getItem('onwhere-secret'))).toBe('');
    tab.api.requests.length = 0;
    await secret.fill(SECRET);
    await secret.press('Enter');
    await tab.expectAsked('segmentation', { event: 'purchase' });
    expect(await readFocus()).not.toMatch(/^body/);
  });

  it('shows a wrong secret next to its field, and nowhere else', async () => {
    await tab.visitAnswer();
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    const secret = tab.page.getByLabel('Project secret');
    await secret.fill('sec-of-another');
    await secret.press('Enter');
    await expect.poll(() => secret.getAttribute('aria-invalid')).toBe('true');
    const described = tab.page.locator(`#${await secret.getAttribute('aria-describedby')}`);
    expect(await readText(described)).toBe('The secret opens no project');
    expect(await tab.readErrors()).toBe('The secret opens no project');
    expect(await tab.page.evaluate(() => sessionStorage.getItem('onwhere-secret'))).toBe('sec-of-another');
    await secret.fill(SECRET);
    await secret.press('Enter');
    await tab.expectAnswer();
    expect(await tab.readErrors()).toBe('');
  });

  it('shows next to the secret that it is no longer valid', async () => {
    await tab.visitAnswer();
    await tab.page.route('**/api/2.0/segmentation/', (route) =>
      route.fulfill({ status: 401, json: { error: 'The secret was revoked' } }),
    );
    await tab.choose('Event', 'purchase');
    await expect.poll(() => tab.readErrors()).toBe('The secret was revoked');
    expect(await tab.page.getByLabel('Project secret').getAttribute('aria-invalid')).toBe('true');
    await tab.page.unroute('**/api/2.0/segmentation/');
  });

  it.each(LOOKS)('is accessible and fits $width pixels in the $colorScheme theme', async ({ width, colorScheme }) => {
    const look = async (state: string) => {
      expect(await axeFindings(tab.page), state).toEqual([]);
      expect(await tab.page.evaluate(() => document.documentElement.scrollWidth), state).toBe(width);
    };
    await tab.visitAnswer('#query=segmentation&on=properties%5B%22country%22%5D&compare=before', {
      colorScheme,
      width,
    });
    await look('Trends');
    for (const label of ['Event', 'Dates', 'More', 'Filter', 'Source']) {
      await (await tab.openChip(label)).waitFor();
      await look(label);
      await tab.closePopover();
    }
    for (const name of TABS.slice(1)) {
      await tab.open(name);
      await tab.expectAsked(FIRST[name][1], {});
      await look(name);
    }
    await tab.typeFilter('properties["x"] = 1 and');
    await expect.poll(() => tab.readStatus()).toContain('not a whole expression');
    await look('a filter with an error');
    tab.api.overrides.set('engage', () => 'Query Error in selector, no');
    await tab.typeFilter('properties["x"] == 1');
    await expect.poll(() => tab.readErrors()).toBe('Query Error in selector, no');
    await look('an error');
  });
});

describe.skipIf(CHROMIUM === undefined)('a filter that someone types about a file', () => {
  let tab: ServerTab;
  beforeAll(async () => {
    tab = await ServerTab.start();
    await tab.page.clock.install();
  });
  afterAll(() => tab.stop());
  afterEach(() => tab.assertNoProblems());

  /** Types a filter of people of a plan and a country, and calls back after each character, some milliseconds later. */
  async function typeFilter(milliseconds: number, check: () => Promise<void>): Promise<string> {
    await tab.visitAnswer();
    const popover = await tab.openChip('Source');
    await popover.getByLabel('Events of').selectOption('file');
    await popover.getByRole('button', { name: 'Use sample data' }).click();
    await expect.poll(() => tab.readHeadline()).toContain('view product');
    await tab.closePopover();
    await tab.typeFilter('');
    await tab.expectAnswer();
    await tab.page.clock.pauseAt((await tab.page.evaluate(() => Date.now())) + 1_000);
    const whole = await tab.readHeadline();
    for (const character of 'properties["plan"] == "pro" and properties["country"] == "NL"') {
      await tab.page.keyboard.type(character);
      await tab.page.clock.runFor(milliseconds);
      await check();
    }
    await tab.page.clock.resume();
    await tab.expectAnswer();
    expect(await tab.readHeadline()).not.toBe(whole);
    return whole;
  }

  it('keeps the last answer, dimmed, while a filter is typed', async () => {
    const shown = new Set<string>();
    const whole = await typeFilter(100, async () => {
      expect(await tab.readErrors()).toBe('');
      expect(await tab.answer.getAttribute('data-stale')).toBe('true');
      shown.add(await tab.readHeadline());
    });
    expect([...shown]).toEqual([whole]);
  });

  it('shows no error, however slowly a filter is typed', async () => {
    const shown = new Set<string>();
    await typeFilter(1_000, async () => {
      await expect.poll(() => tab.answer.getAttribute('aria-busy')).toBe('false');
      expect(await tab.readErrors()).toBe('');
      shown.add(await tab.readHeadline());
    });
    // Parts of it are whole filters too.
    expect(shown.size).toBeGreaterThan(2);
  });
});
