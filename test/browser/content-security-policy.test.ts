import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, launchChromium } from '../chromium.ts';
import { VECTOR_FILES, vectorsIn } from '../vectors.ts';

const POLICY = "default-src 'none'; script-src 'self'";

const WATCH = `
  globalThis.broken = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => broken.push(effectiveDirective));
`;

const root = new URL('../../', import.meta.url);
const vectors = VECTOR_FILES.flatMap(vectorsIn);

/** A page that runs a script of this folder, and has the vectors in it as data. */
function page(script: string): string {
  const data = JSON.stringify(vectors).replaceAll('<', '\\u003c');
  return `<!doctype html>
<title>onwhere</title>
<script id="vectors" type="application/json">${data}</script>
<script type="module" src="/test/browser/${script}.js"></script>`;
}

/** Serves the scripts of this folder and of the build from where they are, and for each a page, all under the policy. */
async function serve(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const isScript = /^\/(dist|test\/browser)\/[\w-]+\.js$/.test(url);
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? readFileSync(new URL(`.${url}`, root)) : page(url.slice(1)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(CHROMIUM === undefined)('a page that must not make code from text', () => {
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

  /** What the script of a page leaves in `answers`, and the directives of the policy that it has broken. */
  async function open(script: string) {
    const page = await browser.newPage();
    await page.addInitScript(WATCH);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${script}`);
    const answers = await page.evaluate('answers');
    // Events come in order: with that of an image, which the policy forbids as well, all before it have come.
    await page.evaluate("new Image().src = '/image'");
    const broken = () => page.evaluate<string[]>('broken');
    await expect.poll(broken).toContain('img-src');
    return { answers, broken: (await broken()).filter((directive) => directive !== 'img-src') };
  }

  it('parses, checks, formats, compiles and answers every vector with the one file of the build', async () => {
    const { answers, broken } = await open('core-page');
    expect(broken).toEqual([]);
    expect(answers).toEqual({
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

  it('is told by `codegen` that this is so, and has closures', async () => {
    const { answers, broken } = await open('codegen-page');
    expect(answers).toEqual({
      closures: true,
      codegen: 'This environment forbids code generation from strings. Omit `engine: codegen` to use closures.',
    });
    expect(broken).toEqual(['script-src']);
  });
});
