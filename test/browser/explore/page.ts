import type { Browser, Locator, Page } from 'playwright-core';
import { PATIENCE_MS } from '../../eventually.ts';

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

/** When coloured text is typed over, Chromium tries to keep its colour. Violations elsewhere are told apart. */
const STYLE_VIOLATION = 'Applying inline style violates';

/**
 * Opens an empty tab. Tests share it, because each new tab starts a process and compiles the scripts of the page again.
 */
export async function openTab(browser: Browser, address: string): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'log' && !text.startsWith(STYLE_VIOLATION)) problems.push(`${message.type()}: ${text}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const [target] = event.composedPath();
      if (!(target as Element).closest?.('.cm-content')) console.warn(`violates ${event.violatedDirective}`);
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
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(address);
}

/** Loads the page over a file as on a first visit, and waits for its result. */
export async function visitExplorer(page: Page, address: string, look?: Look): Promise<void> {
  await visit(page, address, look);
  // Checks at each frame, unlike a locator.
  await page.waitForFunction(() => document.querySelector('#summary p') !== null);
}

/** Replaces the expression in an editor by typing. */
export async function type(page: Page, part: 'where' | 'on', text: string): Promise<void> {
  // The completion list may cover the editor, so a click could miss it.
  await page.locator(`#${part} .cm-content`).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
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

/** Returns the visible text of a part of the page. */
export async function readText(part: Locator): Promise<string> {
  return (await part.allInnerTexts()).join('\n').replace(/\n+/g, '\n');
}

/** Returns the visible texts of the cells of a table, row by row. */
export function readCells(page: Page, table: string): Promise<string[][]> {
  return page.locator(`${table} tbody tr`).evaluateAll((rows) => {
    // biome-ignore lint/performance/useDomNodeTextContent: only visible text counts.
    return rows.map((row) => Array.from((row as HTMLTableRowElement).cells, (cell) => cell.innerText));
  });
}
