import type { Browser, Locator, Page } from 'playwright-core';
import { PATIENCE_MS } from '../../eventually.ts';

/** A tab for one test after another, and all that went wrong in it: errors, and requests to anywhere but one origin. */
export interface Tab {
  readonly page: Page;
  readonly problems: string[];
}

/** How a page is looked at. */
export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  /** In pixels. */
  readonly width?: number;
}

/** Opens an empty tab. A tab for each test would have each start a process, and compile the scripts of the page anew. */
export async function openTab(browser: Browser, address: string): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'log') problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'blob:' && url.origin !== new URL(address).origin) problems.push(`asked for ${url}`);
  });
  return { page, problems };
}

/** Loads a page as if it were the first visit. */
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
    // Nothing is loaded where only the fragment of the address changes.
    await page.goto('about:blank');
  }
  await page.context().clearPermissions();
  await page.mouse.move(0, 0);
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(address);
}

/** Loads the playground as if it were the first visit, and waits for its answer. */
export async function visitPlayground(page: Page, address: string, look?: Look): Promise<void> {
  await visit(page, address, look);
  // Asked at each frame, which a locator would not be.
  await page.waitForFunction(() => document.querySelector('#summary p') !== null);
}

/** Types an expression in the place of what stands in an editor, as a person does. */
export async function type(page: Page, part: 'where' | 'on', text: string): Promise<void> {
  // Completion may lie over the editor, in the way of a click.
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

/** The text of a part of the page, as it is seen. */
export async function seen(part: Locator): Promise<string> {
  return (await part.allInnerTexts()).join('\n').replace(/\n+/g, '\n');
}

/** The cells of a table, row by row. */
export function cells(page: Page, table: string): Promise<string[][]> {
  return page.locator(`${table} tbody tr`).evaluateAll((rows) => {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is seen counts.
    return rows.map((row) => Array.from((row as HTMLTableRowElement).cells, (cell) => cell.innerText));
  });
}
