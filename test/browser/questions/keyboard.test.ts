import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { press, visit, visitExplorer } from '../explore/page.ts';
import { PlayTab } from '../explore/play-tab.ts';

/** Controls that lead to another tab of the page, or out of it. */
const LEAVES =
  'nav a, .event-list button, .user-list button, [role=group] > legend ~ button, .answer-footer fieldset button';

/** More stops would only repeat the rows of tables. */
const MAX_STOPS = 80;

/** Describes what has the focus, and its kind, of which a few are enough. */
function readFocus(page: Page) {
  return page.evaluate((leaves) => {
    const host = document.activeElement;
    const focused = host?.shadowRoot?.activeElement ?? host;
    if (host === null || focused === null || host === document.body) return undefined;
    const name = focused.getAttribute('aria-label') ?? focused.textContent ?? '';
    const kind = `${focused.tagName} ${focused.parentElement?.className} ${focused.className} ${focused.getAttribute('title')}`;
    const acts = focused.matches('button, summary, a[href]') && !host.matches(leaves);
    return { name: `${focused.tagName} ${name.trim()}`, kind, acts };
  }, LEAVES);
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

  it.each(['Explore', 'Trends', 'Funnels', 'Retention', 'People'])('the focus is never lost in %s', async (name) => {
    await visitExplorer(page, tab.address);
    await press(page, name);
    await page.keyboard.press('Enter');
    await settle(page);
    const pressed = new Map<string, number>();
    let last = name;
    for (let stops = 0; stops < MAX_STOPS; stops++) {
      expect(await readFocus(page), `the focus after ${last}`).toBeDefined();
      await page.keyboard.press('Tab');
      const focus = await readFocus(page);
      // The Tab key leaves the page after its last control.
      if (focus === undefined) break;
      const times = (pressed.get(focus.kind) ?? 0) + 1;
      pressed.set(focus.kind, times);
      last = focus.name;
      if (!focus.acts || times > 1) continue;
      for (const key of ['Enter', 'Escape']) {
        await page.keyboard.press(key);
        await settle(page);
        expect(await readFocus(page), `the focus after ${key} on ${last}`).toBeDefined();
      }
    }
  });

  /** Moves the focus to a control and presses Enter, which removes it. Returns what has the focus then. */
  const pressAway = async (name: string | RegExp, key?: string) => {
    await press(page, name, key);
    await page.keyboard.press('Enter');
    await settle(page);
    return (await readFocus(page))?.name ?? 'nothing';
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
    expect((await readFocus(page))?.name).toMatch(/^BUTTON (Export|Import)/);
    expect(await pressAway(/^Board of 1/, 'Shift+Tab')).toMatch(/^BUTTON Saved questions/);
    expect(await pressAway(/^Users who/)).not.toBe('nothing');
  });
});
