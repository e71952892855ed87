import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, launchChromium } from './chromium.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

describe.skipIf(CHROMIUM === undefined)('the playground', () => {
  const folder = mkdtempSync(join(root, 'dist/playground-'));
  // Any web host: it knows nothing but files.
  const host = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://host').pathname.replace(/\/$/, '/index.html'));
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' });
    return createReadStream(path).pipe(response);
  });
  let address = '';

  beforeAll(async () => {
    const args = ['--import', 'tsx', 'scripts/playground/main.ts', relative(root, folder)];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  });

  afterAll(() => {
    host.closeAllConnections();
    host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers the question of a link, and again offline after the first visit', async () => {
    const browser = await launchChromium();
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(String(error)));
      const link = `${address}#query=funnels`;
      await page.goto(link);
      await expect.poll(() => page.getByText('650 of 1,667 users').count()).toBe(1);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await context.setOffline(true);
      host.closeAllConnections();
      await page.goto('about:blank');
      await page.goto(link);
      await expect.poll(() => page.getByText('650 of 1,667 users').count()).toBe(1);
      // Its code and that of editors are loaded when someone opens them.
      await page.getByRole('link', { name: 'Explore' }).click();
      await expect.poll(() => page.getByRole('tab', { name: 'Segments' }).count()).toBe(1);
      await page.getByRole('group', { name: 'Filter as' }).getByRole('button', { name: 'Text' }).click();
      await expect.poll(() => page.locator('.cm-content').count()).toBe(1);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
