import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchChromium, replaceExpression } from '../chromium.ts';
import { type Look, openTab, readText, type Tab, visit } from '../explore/page.ts';
import { FakeApi, SECRET } from './fake-api.ts';

export const DATES = { from_date: '2025-06-01', to_date: '2025-06-03' };

/** The beginning of a message in the browser console that is no error of the page. */
const EXPECTED = 'error: Failed to load resource: the server responded with';

/** A browser tab with the page of a server, for one test after another. */
export class ServerTab {
  readonly page: Page;
  /** The answer, which says whether it belongs to the question that is shown. */
  readonly answer: Locator;
  private readonly problems: string[];

  private constructor(
    readonly api: FakeApi,
    private readonly browser: Browser,
    { page, problems }: Tab,
  ) {
    this.page = page;
    this.problems = problems;
    this.answer = page.getByRole('region', { name: 'Answer', exact: true });
  }

  /** Opens a browser, signed in unless a test removes the secret. */
  static async start(): Promise<ServerTab> {
    const [api, browser] = await Promise.all([FakeApi.start(), launchChromium()]);
    const tab = await openTab(browser, api.address);
    await tab.page.addInitScript((secret) => {
      if (location.href !== 'about:blank') sessionStorage.setItem('onwhere-secret', secret);
    }, SECRET);
    return new ServerTab(api, browser, tab);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.api.stop();
  }

  /** Loads the page of a link as on a first visit. */
  visit(link = '', look?: Look): Promise<void> {
    return visit(this.page, `${this.api.address}${link}`, look);
  }

  /** Loads the page of a link, and waits for its answer. */
  async visitAnswer(link = '', look?: Look): Promise<void> {
    await this.visit(link, look);
    await this.expectAnswer();
  }

  /** Returns the messages of the browser console, which no longer count as problems. */
  takeProblems(): readonly string[] {
    return this.problems.splice(0);
  }

  /** Fails on unexpected messages in the browser console, and if the secret is in a URL. Removes overrides of the API. */
  assertNoProblems(): void {
    const unexpected = this.takeProblems().filter((problem) => !problem.startsWith(EXPECTED));
    expect(unexpected).toEqual([]);
    expect(this.api.paths.filter((path) => path.includes(SECRET) || path.includes('?'))).toEqual([]);
    expect(this.page.url()).not.toContain(SECRET);
    this.api.overrides.clear();
    this.api.warnings = [];
    this.api.requests.length = 0;
  }

  /** Follows the link of a tab of the page. */
  async open(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Questions' }).getByRole('link', { name, exact: true }).click();
  }

  /** Returns the button of a chip, whether it has a value or not. */
  chip(label: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^(Add: )?${label}(:|$)`) });
  }

  /** Opens the popover of a chip. */
  async openChip(label: string): Promise<Locator> {
    await this.chip(label).click();
    return this.page.getByRole('dialog', { name: label, exact: true });
  }

  /** Chooses an entry of the list of a chip. */
  async choose(label: string, entry: string): Promise<void> {
    const popover = await this.openChip(label);
    const text = this.page.getByText(entry, { exact: true });
    await popover.getByRole('button').filter({ has: text }).click();
  }

  /** Types a name into the search field of a chip, and chooses it with Enter. */
  async enter(label: string, name: string): Promise<void> {
    const search = (await this.openChip(label)).getByRole('searchbox');
    await search.fill(name);
    await search.press('Enter');
  }

  /** Fills in a field behind the chip “More”. */
  async fillMore(label: string, value: string): Promise<void> {
    const field = (await this.openChip('More')).getByLabel(label, { exact: true });
    if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
    await this.closePopover();
  }

  /** Closes the popover of a chip. The first Escape can close a list of completions in it. */
  async closePopover(): Promise<void> {
    const popover = this.page.getByRole('dialog');
    while ((await popover.count()) > 0) await this.page.keyboard.press('Escape');
  }

  /** Replaces the filter by typing. */
  async typeFilter(expression: string): Promise<void> {
    await this.page.getByRole('group', { name: 'Filter as' }).getByRole('button', { name: 'Text' }).click();
    await this.type('Filter', expression);
  }

  /** Replaces the expression in an editor by typing. */
  async type(label: string, expression: string): Promise<void> {
    await replaceExpression(this.page.getByLabel(label, { exact: true }), expression);
  }

  /** Waits for the answer to the question that is shown. */
  async expectAnswer(): Promise<void> {
    await expect.poll(() => this.answer.getAttribute('data-stale')).toBe('false');
  }

  /** Waits until a question with these parameters, and maybe others, is asked and answered. Forgets what was asked. */
  async expectAsked(path: string, parameters: Readonly<Record<string, string>>): Promise<void> {
    const asked = expect.objectContaining({ path, parameters: expect.objectContaining(parameters) });
    await expect.poll(() => this.api.questions).toContainEqual(asked);
    await this.expectAnswer();
    this.api.requests.length = 0;
  }

  /** Returns the largest words of the answer. */
  readHeadline(): Promise<string> {
    return readText(this.answer.getByRole('heading', { level: 2 }));
  }

  /** Returns what the page says about the question. */
  readStatus(): Promise<string> {
    return readText(this.page.locator('#status'));
  }

  /** Returns the errors of the page. */
  async readErrors(): Promise<string> {
    return (await readText(this.page.getByRole('alert'))).trim();
  }

  /** Returns the texts of the cells of a table of the answer, row by row. */
  readRows(table: Locator = this.answer.getByRole('table')): Promise<string[][]> {
    return table.locator('tbody tr').evaluateAll((rows) => {
      // biome-ignore lint/performance/useDomNodeTextContent: only visible text counts.
      return rows.map((row) => Array.from((row as HTMLTableRowElement).cells, (cell) => cell.innerText.trim()));
    });
  }
}
