import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VECTOR_FILES, vectorsIn } from '../vectors.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';

const POLICY = "default-src 'none'; script-src 'self'";

const WATCH = `
  globalThis.broken = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => broken.push(effectiveDirective));
`;

const root = new URL('../../', import.meta.url);
/** Browsers and Node.js can have other versions of the time zone database, which differ in predictions for Morocco. */
const vectors = VECTOR_FILES.flatMap(vectorsIn).filter(({ timeZone }) => timeZone !== 'Africa/Casablanca');

/** Returns a page that runs a script of this folder and contains the vectors as data. */
function formatPage(script: string): string {
  const data = JSON.stringify(vectors).replaceAll('<', '\\u003c');
  return `<!doctype html>
<title>onwhere</title>
<script id="vectors" type="application/json">${data}</script>
<script type="module" src="/test/browser/${script}.js"></script>`;
}

/** Serves the scripts of this folder and of the build, and a page for each, all with the policy. */
async function serve(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const isScript = /^\/(dist|test\/browser)\/[\w/-]+\.js$/.test(url);
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? readFileSync(new URL(`.${url}`, root)) : formatPage(url.slice(1)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(CHROMIUM === undefined)('a page whose policy forbids eval', () => {
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    server = await serve();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Opens a page. Returns the `results` of its script, and the directives of the policy that it violated. */
  async function open(script: string) {
    const page = await browser.newPage();
    await page.addInitScript(WATCH);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${script}`);
    const results = await page.evaluate('results');
    // Events arrive in order. The policy also forbids images, so after that event all earlier ones have arrived.
    await page.evaluate("new Image().src = '/image'");
    const broken = () => page.evaluate<string[]>('broken');
    await expect.poll(broken).toContain('img-src');
    return { results, broken: (await broken()).filter((directive) => directive !== 'img-src') };
  }

  it('parses, checks, formats, compiles and evaluates every vector with the files of the build', async () => {
    const { results, broken } = await open('core-page');
    expect(broken).toEqual([]);
    expect(results).toEqual({
      parsed: 'binary',
      formatted: 'properties["a"] == 1',
      checked: ['Write `==`.'],
      validated: ['`=` is not an operator. Write `==`. (line 1, column 20)'],
      where: true,
      on: ['new', 'sale'],
      number: 42,
      vectors: vectors.map(({ expect }) => expect),
    });
  });

  it('uses closures, and gets an error from `codegen`', async () => {
    const { results, broken } = await open('codegen-page');
    expect(results).toEqual({
      closures: true,
      codegen: 'This environment forbids code generation from strings. Omit `engine: codegen` to use closures.',
    });
    expect(broken).toEqual(['script-src']);
  });
});
