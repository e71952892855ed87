import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pathOnSite } from '../../docs/.vitepress/pages.ts';
import { DIAGNOSTIC_CODES } from '../../scripts/diagnostics/examples.ts';
import { diagnosticPage } from '../../src/lang/diagnostic-page.ts';
import { PAGES, ROOT } from '../docs/pages.ts';
import { startChild } from '../spawned.ts';
import { axeFindings } from './axe-findings.ts';
import { CHROMIUM, launchChromium, replaceText } from './chromium.ts';

const SITE = fileURLToPath(new URL('site/html/', ROOT));

/** Known axe findings in the layout of VitePress: its search button and collapsible groups. */
const KNOWN_FINDINGS = [/DocSearch-Button/, /^nested-interactive .*role="button"/];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

beforeAll(async () => {
  const build = startChild('npm', ['run', '--silent', 'docs'], { cwd: fileURLToPath(ROOT) });
  let output = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(build, 'close');
  if (code !== 0) throw new Error(output);
});

/** Returns the anchors and the links of each page of the built site. */
function readSite(): Map<string, { ids: Set<string>; links: string[] }> {
  const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
  return new Map(
    files.map((path) => {
      const html = readFileSync(SITE + path, 'utf8');
      const all = (pattern: RegExp) => Array.from(html.matchAll(pattern), ([, found = '']) => found);
      const links = all(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]*)"/g);
      return [`/${path}`, { ids: new Set(all(/ id="([^"]*)"/g)), links }];
    }),
  );
}

describe('the site', () => {
  it('has every page', () => {
    const missing = PAGES.filter((path) => !/^(README|ARCHITECTURE|src\/)/.test(path)).filter((path) => {
      return !existsSync(SITE + pathOnSite(path).replace(/\.md$/, '.html'));
    });
    expect(missing).toEqual([]);
  });

  it('has the page that each diagnostic links to', () => {
    const pages = DIAGNOSTIC_CODES.map((code) => pathOnSite(diagnosticPage(code)).replace(/\.md$/, '.html'));
    expect(pages.filter((path) => !existsSync(SITE + path))).toEqual([]);
  });

  it('has no dead link', () => {
    const site = readSite();
    const dead = [...site].flatMap(([page, { links }]) =>
      links
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path = '', anchor = ''] = decodeURI(link).replaceAll('&amp;', '&').split('#');
          const target = path === '' ? page : posix.resolve(posix.dirname(page), path);
          const file = path.endsWith('/') ? posix.join(target, 'index.html') : target;
          if (!existsSync(SITE + file)) return true;
          return anchor !== '' && !site.get(file)?.ids.has(anchor);
        })
        .map((link) => `${page} → ${link}`),
    );
    expect(dead).toEqual([]);
    expect(site.size).toBeGreaterThan(60);
  });

  it('loads nothing from other sites', () => {
    const external = [...readSite()].flatMap(([page]) => {
      const html = readFileSync(SITE + page, 'utf8');
      return [...html.matchAll(/<(?:script|link|img)\b[^>]*? (?:href|src)="(?:https?:)?\/\/[^"]*"/g)].map(
        ([tag]) => tag,
      );
    });
    expect(external).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  /** Opens a page of the site, served from the folder without a network. */
  async function visit(path: string, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    page = await context.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    await page.route('**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const file = SITE + (pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (existsSync(file)) return route.fulfill({ contentType: TYPES[extname(file)] ?? 'text/plain', path: file });
      problems.push(`${pathname} does not exist`);
      return route.fulfill({ status: 404 });
    });
    await page.goto(`http://docs.test${path}`);
  }

  beforeEach(() => {
    problems.length = 0;
    return async () => {
      await page.context().close();
      expect(problems).toEqual([]);
    };
  });

  it('updates the result of an example as it is edited', async () => {
    await visit('/language.html');
    const example = page.locator('.live-example').nth(3);
    await example.scrollIntoViewIfNeeded();
    await expect.poll(() => example.locator('.live-answer').textContent()).toBe('→ true');
    await replaceText(example.locator('.cm-content'), 'properties["plan"] == "free"');
    await expect.poll(() => example.locator('.live-answer').textContent()).toBe('→ false');
    await replaceText(example.locator('.cm-content'), 'properties["plan"] = "free"');
    const link = example.locator('.live-answer a');
    await expect.poll(() => link.textContent()).toBe('single-equals');
    expect(await link.getAttribute('href')).toBe('/diagnostics/single-equals.html');
    await example.locator('.cm-lintRange-error').hover();
    const tooltip = page.locator('.cm-tooltip-lint a');
    await expect.poll(() => tooltip.getAttribute('href')).toBe('/diagnostics/single-equals.html');
    await replaceText(example.locator('.cm-content'), 'properties["seats"] + 1');
    await example.locator('summary').click();
    await example.locator('textarea').fill('{ "seats": 4 }');
    await expect.poll(() => example.locator('.live-answer').textContent()).toBe('→ 5');
  });

  it('shows a filter in Monaco when somebody asks for it', async () => {
    await visit('/guide/forms-and-editors.html');
    expect(await page.locator('.monaco-editor').count()).toBe(0);
    await page.getByRole('button', { name: 'Try it in Monaco' }).click();
    await page.locator('.monaco-example .squiggly-error').waitFor();
    await page.locator('.monaco-example .view-line span[class^=mtk]').first().waitFor();
    const text = () => page.locator('.monaco-example .view-lines').textContent();
    expect((await text())?.replaceAll('\u00a0', ' ')).toBe('properties["plan"] = "pro"');
  });

  it('finds a page by a word on it', async () => {
    await visit('/');
    const search = page.locator('#localsearch-input');
    // The page is shown before its script listens for keys.
    await expect
      .poll(async () => {
        await page.keyboard.press('ControlOrMeta+k');
        return search.isVisible();
      })
      .toBe(true);
    await search.fill('unclosed-string');
    const found = page.locator('#localsearch-list a').first();
    await expect.poll(() => found.getAttribute('href')).toContain('/diagnostics/unclosed-string.html');
  });

  it.each([
    '/',
    '/language.html',
    '/guide/embedding.html',
    '/diagnostics/',
    '/reference/onwhere.html',
    '/benchmarks.html',
  ])('fits the width of a phone: %s', async (path) => {
    await visit(path, 390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it.each(['light', 'dark'] as const)('is accessible when %s', async (scheme) => {
    await visit('/language.html', 1280, scheme);
    await page.locator('.live-example .cm-editor').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(scheme === 'dark');
    const findings = await axeFindings(page);
    expect(findings.filter((finding) => !KNOWN_FINDINGS.some((known) => known.test(finding)))).toEqual([]);
  });
});
