import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { clickRun, launchChromium, replaceExpression } from '../chromium.ts';
import { openTab, readText, type Tab, visit } from '../explore/page.ts';
import { FakeApi, SECRET } from './fake-api.ts';

export const DATES = { from_date: '2025-06-01', to_date: '2025-06-03' };

/** The beginning of a message in the browser console that is no error of the page. */
const EXPECTED = 'error: Failed to load resource: the server responded with';

const MEASURES: Readonly<Record<string, string>> = { Ranges: 'numeric', Sum: 'sum', Average: 'average' };

/** A browser tab with the page of a server, for one test after another. */
export class ServerTab {
  readonly page: Page;
  private readonly problems: string[];

  private constructor(
    readonly api: FakeApi,
    private readonly browser: Browser,
    { page, problems }: Tab,
  ) {
    this.page = page;
    this.problems = problems;
  }

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

  visit(): Promise<void> {
    return visit(this.page, this.api.address);
  }

  /** Fails on unexpected messages in the browser console, and if the secret is in a URL. Removes overrides of the API. */
  assertNoProblems(): void {
    const unexpected = this.problems.splice(0).filter((problem) => !problem.startsWith(EXPECTED));
    expect(unexpected).toEqual([]);
    expect(this.api.paths.filter((path) => path.includes(SECRET) || path.includes('?'))).toEqual([]);
    expect(this.page.url()).not.toContain(SECRET);
    this.api.overrides.clear();
  }

  /** Opens a query: by its link, or by what it measures. */
  async choose(query: string): Promise<void> {
    const measure = MEASURES[query];
    const link = measure === undefined ? query : 'Segmentation';
    await this.page.getByRole('navigation').getByText(link, { exact: true }).click();
    if (measure !== undefined) await this.page.getByLabel('Measure').selectOption(measure);
  }

  /** Fills in a field. */
  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
    await this.page.getByLabel(label, { exact: true }).blur();
  }

  /** Replaces the expression in an editor by typing. */
  async type(label: string, expression: string): Promise<void> {
    await replaceExpression(this.page.getByLabel(label, { exact: true }), expression);
  }

  readStatus(): Promise<string> {
    return readText(this.page.locator('#status'));
  }

  /** Runs the current query and waits for its result. */
  async run(): Promise<void> {
    await clickRun(this.page);
    await expect.poll(() => this.readStatus()).toMatch(/^Finished in/);
  }

  /** Opens a query, and fills in its dates and other fields. */
  async open(query: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.choose(query);
    await this.fill('From', DATES.from_date);
    await this.fill('To', DATES.to_date);
    for (const [label, value] of Object.entries(fields)) await this.fill(label, value);
  }
}
