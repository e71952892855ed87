import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { press, visit } from '../explore/page.ts';
import { PlayTab } from '../explore/play-tab.ts';

/** Describes what has the focus; undefined if nothing has. */
function readFocus(page: Page) {
  return page.evaluate(() => {
    const host = document.activeElement;
    const focused = host?.shadowRoot?.activeElement ?? host;
    if (host === null || focused === null || host === document.body) return undefined;
    const name = focused.getAttribute('aria-label') ?? focused.textContent ?? '';
    return `${focused.tagName} ${name.trim()}`;
  });
}

/** Waits until the page has drawn what a key does. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.locator('#result[aria-busy=true]').waitFor({ state: 'detached' });
}

describe.skipIf(CHROMIUM === undefined)('with the keyboard alone', () => {
  let tab: PlayTab;
  let page: Page;
  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());
  afterEach(() => tab.assertNoProblems());

  /** Moves the focus to a control and presses Enter, which removes it. Returns what has the focus then. */
  const pressAway = async (name: string | RegExp, key?: string) => {
    await press(page, name, key);
    await page.keyboard.press('Enter');
    await settle(page);
    return (await readFocus(page)) ?? 'nothing';
  };

  it('the focus stays nearby when the control that has it goes away', async () => {
    await visit(page, `${tab.address}#query=funnels`);
    await page.getByText('650 of 1,667 users').waitFor();
    expect(await pressAway('650')).toMatch(/^H2 Users who reached/);
    expect(await pressAway('Back to the answer', 'Shift+Tab')).toBe('BUTTON Text');
    expect(await pressAway('Remove: Step 3', 'Shift+Tab')).toBe('BUTTON Add: Step');
    await page.getByRole('button', { name: 'Saved questions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    expect(await pressAway(/^Remove: Users/)).toBe('BUTTON Undo');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Board of 1 question' }).waitFor();
    expect(await readFocus(page)).toMatch(/^BUTTON (Export|Import)/);
    expect(await pressAway(/^Board of 1/, 'Shift+Tab')).toMatch(/^BUTTON Saved questions/);
    expect(await pressAway(/^Users who/)).not.toBe('nothing');
  });
});
