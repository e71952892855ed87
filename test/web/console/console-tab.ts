import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchChromium } from '../../chromium.ts';
import { openTab, readText, type Tab, visit } from '../playground/page.ts';
import { FakeApi, SECRET } from './fake-api.ts';

export const DATES = { from_date: '2025-06-01', to_date: '2025-06-03' };

/** Messages in the browser console that are no errors of the page. */
const EXPECTED = [
  'error: Failed to load resource: the server responded with',
  // When coloured text is typed over, Chromium tries to keep its colour.
  'error: Applying inline style violates',
];

/** A browser tab with the console page, for one test after another. */
export class ConsoleTab {
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

  static async start(): Promise<ConsoleTab> {
    const [api, browser] = await Promise.all([FakeApi.start(), launchChromium()]);
    const tab = await openTab(browser, api.address);
    await tab.page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const [target] = event.composedPath();
        if (!(target as Element).closest?.('.cm-content')) console.warn(`violates ${event.violatedDirective}`);
      });
    });
    await tab.page.addInitScript((secret) => {
      if (location.href !== 'about:blank') sessionStorage.setItem('onwhere-secret', secret);
    }, SECRET);
    return new ConsoleTab(api, browser, tab);
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
    const unexpected = this.problems
      .splice(0)
      .filter((problem) => !EXPECTED.some((expected) => problem.startsWith(expected)));
    expect(unexpected).toEqual([]);
    expect(this.api.paths.filter((path) => path.includes(SECRET) || path.includes('?'))).toEqual([]);
    expect(this.page.url()).not.toContain(SECRET);
    this.api.overrides.clear();
  }

  /** Opens a query. */
  choose(query: string): Promise<void> {
    return this.page.getByRole('navigation').getByText(query, { exact: true }).click();
  }

  /** Fills in a field. */
  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
    await this.page.getByLabel(label, { exact: true }).blur();
  }

  /** Replaces the expression in an editor by typing. */
  async type(label: string, expression: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(expression);
  }

  readStatus(): Promise<string> {
    return readText(this.page.locator('#status'));
  }

  /** Runs the current query and waits for its result. */
  async run(): Promise<void> {
    await this.page.getByRole('button', { name: 'Run' }).click();
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
