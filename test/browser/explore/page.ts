import type { Browser, Locator, Page } from 'playwright-core';
import { PATIENCE_MS } from '../../eventually.ts';
import { replaceExpression } from '../chromium.ts';

/** A tab that several tests use, and its problems: errors, and requests to other origins. */
export interface Tab {
  readonly page: Page;
  readonly problems: string[];
}

/** The appearance of a page. */
export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  /** In pixels. */
  readonly width?: number;
}

/** Each theme at a narrow and at a wide width. */
export const LOOKS: readonly Required<Look>[] = [
  { width: 390, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1920, colorScheme: 'dark' },
];

/**
 * Opens an empty tab. Tests share it, because each new tab starts a process and compiles the scripts of the page again.
 */
export async function openTab(browser: Browser, address: string): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    problems.push(`${message.type()}: ${message.text()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.warn(`violates ${event.violatedDirective} in ${(event.composedPath()[0] as Element).outerHTML}`);
    });
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'blob:' && url.origin !== new URL(address).origin) problems.push(`requested ${url}`);
  });
  return { page, problems };
}

/** Loads a page as on a first visit. */
export async function visit(
  page: Page,
  address: string,
  { colorScheme = 'light', width = 1280 }: Look = {},
): Promise<void> {
  if (page.url() !== 'about:blank') {
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    // The browser would not load the page again if only the fragment changed.
    await page.goto('about:blank');
  }
  await page.context().clearPermissions();
  await page.mouse.move(0, 0);
  await changeLook(page, { colorScheme, width });
  await page.goto(address);
}

/** Changes the theme and the width of an open page, 900 pixels high. */
export async function changeLook(page: Page, { colorScheme, width }: Required<Look>): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** Loads the page over a file as on a first visit, and waits for its result. */
export async function visitExplorer(page: Page, address: string, look?: Look): Promise<void> {
  await visit(page, address, look);
  // Checks at each frame, unlike a locator.
  await page.waitForFunction(() => document.querySelector('#summary strong, #summary .error') !== null);
}

/** The chip of the question with a label, with or without a value. */
export function findChip(page: Page, label: string): Locator {
  const name = new RegExp(`^(?:${label}: |Add: ${label}$)`);
  return page.getByRole('button', { name }).and(page.locator('[aria-haspopup=dialog]'));
}

/** Opens the popover of a chip, unless it is open. */
export async function openChip(page: Page, label: string): Promise<Locator> {
  const chip = findChip(page, label);
  const popover = page.getByRole('dialog', { name: label, exact: true });
  for (;;) {
    if ((await chip.getAttribute('aria-expanded')) === 'false') await chip.click();
    // If the page opened it just before the click, the click has closed it.
    const isShown = popover.waitFor({ timeout: 1_000 }).then(
      () => true,
      () => false,
    );
    if (await isShown) return popover;
  }
}

/** Closes the popover that has the focus. The first Escape can close a list of completions in it. */
export async function closePopover(page: Page): Promise<void> {
  const popover = page.getByRole('dialog');
  while ((await popover.count()) > 0) await page.keyboard.press('Escape');
}

/** Shows the editor of the filter, or of the grouping in the popover of its chip. */
export async function openEditor(page: Page, part: 'where' | 'on'): Promise<Locator> {
  if (part === 'where') {
    await page.getByRole('group', { name: 'Filter as' }).getByRole('button', { name: 'Text' }).click();
    return page.getByRole('textbox', { name: 'Filter', exact: true });
  }
  const popover = await openChip(page, 'By');
  const editor = popover.getByRole('textbox', { name: 'Group by' });
  const write = popover.getByRole('button', { name: 'Write an expression' });
  await editor.or(write).first().waitFor();
  if (await write.isVisible()) await write.click();
  return editor;
}

/** Replaces an expression by typing. */
export async function type(page: Page, part: 'where' | 'on', text: string): Promise<void> {
  await replaceExpression(await openEditor(page, part), text);
  if (part === 'on') await closePopover(page);
}

/** Returns an expression as its editor shows it. */
export async function readExpression(page: Page, part: 'where' | 'on'): Promise<string> {
  const editor = await openEditor(page, part);
  const text = await readText(editor.and(page.locator('.cm-content')));
  if (part === 'on') await closePopover(page);
  return text;
}

/** Returns what the page says about its file. */
export async function readSource(page: Page): Promise<string> {
  return readLine((await openChip(page, 'Source')).getByRole('status'));
}

/** Drops a file on the page. */
export async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [name, content.toString('base64')] as const,
  );
  for (const event of ['dragover', 'drop']) await page.dispatchEvent('main', event, { dataTransfer: transfer });
}

/** Returns the visible text of a part of the page in one line. */
export async function readLine(part: Locator): Promise<string> {
  return (await part.allInnerTexts()).join(' ').replace(/\s+/g, ' ').trim();
}

/** Returns the visible text of a part of the page. */
export async function readText(part: Locator): Promise<string> {
  return (await part.allInnerTexts()).join('\n').replace(/\n+/g, '\n');
}

/** Returns the visible texts of the cells of a table, row by row. */
export function readCells(table: Locator): Promise<string[][]> {
  return table.locator('tbody tr').evaluateAll((rows) => {
    // biome-ignore lint/performance/useDomNodeTextContent: only visible text counts.
    return rows.map((row) => Array.from((row as HTMLTableRowElement).cells, (cell) => cell.innerText.trim()));
  });
}

/** Moves the focus with the Tab key, or another one, to the control with a name. */
export async function press(page: Page, wanted: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key);
    const name = await page.evaluate(() => {
      const { activeElement: focused } = document;
      const inner = focused?.shadowRoot?.activeElement ?? focused;
      const label = inner instanceof HTMLInputElement ? inner.labels?.[0]?.textContent : undefined;
      return label ?? inner?.getAttribute('aria-label') ?? inner?.textContent ?? '';
    });
    if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return;
  }
  throw new Error(`The key ${key} does not reach ${wanted}.`);
}
