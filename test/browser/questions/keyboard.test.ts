import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../eventually.ts';
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

describe.skipIf(CHROMIUM === undefined)('with the keyboard alone', () => {
  let tab: PlayTab;
  let page: Page;
  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());
  afterEach(() => tab.assertNoProblems());

  const expectFocus = (on: RegExp) => expect.poll(() => readFocus(page), { timeout: PATIENCE_MS }).toMatch(on);

  /** Moves the focus to a control and presses Enter, which removes it. */
  const pressAway = async (name: string | RegExp, key?: string) => {
    await press(page, name, key);
    await page.keyboard.press('Enter');
  };

  it('the focus stays nearby when the control that has it goes away', async () => {
    await visit(page, `${tab.address}#query=funnels`);
    await page.getByText('650 of 1,667 users').waitFor();
    await pressAway('650');
    // Its code is loaded first.
    await expectFocus(/^H2 Users who reached/);
    await pressAway('Back to the answer', 'Shift+Tab');
    await expectFocus(/^BUTTON Text$/);
    await pressAway('Remove: Step 3', 'Shift+Tab');
    await expectFocus(/^BUTTON Add: Step$/);
    await page.getByRole('button', { name: 'Saved questions' }).focus();
    await page.keyboard.press('Enter');
    // The popover takes the focus after it is shown.
    await expectFocus(/^INPUT Name of the question/);
    await page.keyboard.press('Enter');
    await pressAway(/^Remove: Users/);
    await expectFocus(/^BUTTON Undo$/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Board of 1 question' }).waitFor();
    await expectFocus(/^BUTTON (Export|Import)/);
    await pressAway(/^Board of 1/, 'Shift+Tab');
    await expectFocus(/^BUTTON Saved questions/);
    await pressAway(/^Users who/);
    await expectFocus(/./);
  });
});
