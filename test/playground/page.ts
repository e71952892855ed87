import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PATIENCE_MS } from '../eventually.ts';

/** A page with the playground in it, and all that went wrong there: errors, and requests to anywhere but where it came from. */
export interface Opened {
  readonly page: Page;
  readonly problems: readonly string[];
}

/** Opens the playground and waits for its answer. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
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
  await page.goto(address);
  await page.locator('#summary p').first().waitFor();
  return { page, problems };
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
export async function cells(page: Page, table: string): Promise<string[][]> {
  const rows = await page.locator(`${table} tbody tr`).all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}
