import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a browser to test in is installed; `CHROMIUM` names another place. */
export const CHROMIUM = [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path));

if (CHROMIUM === undefined) {
  console.warn('Chromium is not installed (apt-get install chromium): the tests in a browser are skipped.');
}

/** Starts the browser, which asks nothing of any network by itself. */
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
