import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signParameters } from '../../src/service/server/access/signed-access.ts';
import { SECRET, TOKEN } from '../service/server/fake-datasets.ts';
import { RunningServer } from '../service/server/running-server.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';

describe.skipIf(CHROMIUM === undefined)('a page of another site (JSONP)', () => {
  let server: RunningServer;
  let other: Server;
  let browser: Browser;
  let page: Page;
  let api: string;
  /** The other site: Chromium treats localhost and 127.0.0.1 as different sites. */
  let site: string;

  beforeAll(async () => {
    server = await RunningServer.start({ allowHttp: true });
    server.services.result = ['view', '</script>'];
    api = `http://127.0.0.1:${server.port}`;
    other = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>other</title>'));
    other.listen(0, 'localhost');
    await once(other, 'listening');
    site = `http://localhost:${(other.address() as AddressInfo).port}/`;
    browser = await launchChromium();
    page = await browser.newPage();
    // From now on the browser sends the secret by itself, as after its login dialog.
    await page.goto(`${api.replace('//', `//${SECRET}:@`)}/api/2.0/events/names`);
    await page.goto(`${api}/api/2.0/events/names`);
    expect(await page.textContent('body')).toContain('view');
  });

  afterAll(async () => {
    await browser?.close();
    other?.close();
    await server?.stop();
  });

  /** Loads a script and returns the argument of its callback; null if Chromium does not run the script. */
  async function loadScript(path: string): Promise<unknown> {
    await page.goto(site);
    return page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const script = document.createElement('script');
          Object.assign(globalThis, { show: resolve });
          script.onload = script.onerror = () => resolve(null);
          script.src = src;
          document.head.append(script);
        }),
      `${api}${path}`,
    );
  }

  function sign(path: string, parameters: Record<string, string> = {}): string {
    const given = { api_key: TOKEN, expire: '4102444800', ...parameters };
    return `${path}?${new URLSearchParams({ ...given, callback: 'show', sig: signParameters(given, SECRET) })}`;
  }

  it('reads signed responses, also errors', async () => {
    expect(await loadScript(sign('/api/2.0/events/names'))).toEqual(['view', '</script>']);
    expect(await loadScript(sign('/api/2.0/segmentation'))).toMatchObject({
      error: 'Missing required parameter: event',
    });
    expect(await loadScript(sign('/api/2.0/events/names', { expire: '1' }))).toMatchObject({
      error: expect.stringMatching(/^The signature has expired/),
    });
    expect(await loadScript(sign('/api/2.0/none'))).toMatchObject({ error: 'Invalid endpoint: /api/2.0/none' });
  });

  it('cannot read with the remembered secret', async () => {
    expect(await loadScript('/api/2.0/events/names?callback=show')).toMatchObject({
      error: expect.stringMatching(/^(?:Cross-site requests with a secret are refused|The secret is missing)/),
    });
  });

  it('cannot write with the remembered secret', async () => {
    server.services.calls.length = 0;
    const note = new URLSearchParams({ date: '2024-02-01 00:00:00', description: 'x' });
    for (const write of [`/api/2.0/annotations/create?${note}`, `/datasets/shop/versions?token=${TOKEN}`])
      for (const method of ['GET', 'POST']) {
        await page.goto(site);
        await page.setContent(`<form method="${method}" action="${api}${write}">
          ${[...note].map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}</form>`);
        const navigated = page.waitForNavigation();
        await page.evaluate(() => document.forms[0]?.submit());
        expect((await navigated)?.status()).toBe(403);
      }
    expect(server.services.calls).toEqual([]);
    expect(server.datasets.stored.size).toBe(0);
  });
});
