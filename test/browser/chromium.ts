import { existsSync } from 'node:fs';
import { type Browser, chromium, type Locator } from 'playwright-core';

// The shell has no windows, tabs and other pages of its own, so tests take about half the processor time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const PATHS = NAMES.map((name) => `/usr/bin/${name}`);

/** The path of an installed Chromium. The environment variable `CHROMIUM` names another one. */
export const CHROMIUM = [process.env.CHROMIUM, ...PATHS].find((path) => path !== undefined && existsSync(path));

if (CHROMIUM === undefined) {
  console.warn('Chromium is not installed (apt-get install chromium-headless-shell): browser tests are skipped.');
}

/** Starts the browser without its own background requests to the network. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
}

/**
 * Replaces the text of a field or an editor as a person does. `fill` selects the text in the page and then inserts,
 * and CodeMirror can put its own selection back in between.
 */
export async function replaceText(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.press('ControlOrMeta+a');
  if (text === '') await field.press('Delete');
  else await field.page().keyboard.insertText(text);
}

/** Replaces the text of a field once its editor is there, which takes the place of a text area. */
export async function replaceExpression(field: Locator, text: string): Promise<void> {
  const editor = field.and(field.page().locator('.cm-content'));
  await editor.waitFor();
  await replaceText(editor, text);
}
