import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FilterElement } from '../../src/editor/element/filter-element.ts';
import { axeFindings } from './axe-findings.ts';
import { CHROMIUM, launchChromium, replaceText } from './chromium.ts';
import { readText } from './explore/page.ts';

const DIST = new URL('../../dist/', import.meta.url);
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'";

const PAGE = `<!doctype html>
<html lang="en"><title>Filters</title><meta name="color-scheme" content="light dark">
<script type="module" src="/script.js"></script>
<main><h1>Filters</h1><form><onwhere-filter name="where" label="Filter" value='properties["plan"] == "pro"'></onwhere-filter>
<button>Send</button></form></main></html>`;

const SCHEMA = {
  properties: { plan: { types: ['string'], values: ['free', 'pro'] }, amount: { types: ['number'] } },
  user: { country: { types: ['string'] } },
};

/** When coloured text is typed over, Chromium tries to keep its colour. Without CodeMirror, its import fails. */
const EXPECTED = /^Applying inline style violates|Failed to resolve module/;

/** Bundles the built element with CodeMirror, as an application does. */
async function bundleElement(): Promise<Map<string, string>> {
  const input = fileURLToPath(new URL('element.js', DIST));
  const options = { rolldownOptions: { input, output: { entryFileNames: 'script.js' } } };
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, ...options },
  });
  const [first] = [built].flat();
  if (first === undefined || !('output' in first)) throw new Error('There is no bundle');
  return new Map(first.output.map((file) => [`/${file.fileName}`, 'code' in file ? file.code : String(file.source)]));
}

describe.skipIf(CHROMIUM === undefined).each([
  ['the editor', true],
  ['a text area, without CodeMirror', false],
])('<onwhere-filter> with %s', (_, hasCodeMirror) => {
  let browser: Browser;
  let page: Page;
  let files = new Map<string, string>();
  const problems: string[] = [];

  beforeAll(async () => {
    files = hasCodeMirror ? await bundleElement() : new Map([['/script.js', "import '/element.js';"]]);
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    problems.length = 0;
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(message.text()));
    await page.route('**', (route) => {
      const { pathname } = new URL(route.request().url());
      const headers = { 'content-security-policy': POLICY };
      if (!pathname.endsWith('.js'))
        return route.fulfill({ headers, contentType: 'text/html; charset=utf-8', body: PAGE });
      const body = files.get(pathname) ?? readFileSync(new URL(`.${pathname}`, DIST), 'utf8');
      return route.fulfill({ headers, contentType: 'text/javascript; charset=utf-8', body });
    });
    await page.goto('http://filters.test/');
    await page.evaluate((schema) => {
      const element = document.querySelector('onwhere-filter') as FilterElement;
      Object.assign(globalThis, { element, events: [] });
      element.schema = schema as never;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(':root { color-scheme: light dark; background: light-dark(white, #161b22) }');
      document.adoptedStyleSheets = [sheet];
      for (const name of ['input', 'change']) {
        element.addEventListener(name, () =>
          (globalThis as unknown as { events: string[] }).events.push(`${name} ${element.value}`),
        );
      }
    }, SCHEMA);
    await text().waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(problems.filter((problem) => !EXPECTED.test(problem))).toEqual([]);
  });

  const text = () => page.locator(hasCodeMirror ? '.cm-content' : 'textarea');
  const value = () => page.evaluate(() => (globalThis as unknown as { element: FilterElement }).element.value);
  const events = () => page.evaluate(() => (globalThis as unknown as { events: string[] }).events.splice(0));
  const messages = () => readText(page.locator('.messages'));
  const field = (label: string, index = 0) => page.getByLabel(label, { exact: true }).nth(index);

  /** Returns what the rows show: of each, its fields or its source. */
  function rows(): Promise<string[]> {
    return page.locator('.condition').evaluateAll((all) =>
      all.map((row) => {
        const fields = [...row.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')];
        return row.querySelector('code')?.textContent ?? fields.map(({ value }) => value).join('|');
      }),
    );
  }

  it('takes part in a form', async () => {
    const submitted = () => page.evaluate(() => new FormData(document.forms[0]).get('where'));
    const validity = () =>
      page.evaluate(() => {
        const { element } = globalThis as unknown as { element: FilterElement };
        return [element.checkValidity(), element.validationMessage, element.form === document.forms[0]];
      });
    expect(await submitted()).toBe('properties["plan"] == "pro"');
    expect(await validity()).toEqual([true, '', true]);
    await replaceText(text(), 'properties["plan"] = "pro"');
    expect(await submitted()).toBe('properties["plan"] = "pro"');
    expect(await validity()).toEqual([false, '`=` is not an operator.', true]);
    await page.evaluate(() => document.forms[0]?.reset());
    expect(await value()).toBe('properties["plan"] == "pro"');
    expect(await validity()).toEqual([true, '', true]);
    await replaceText(text(), '');
    expect(await validity()).toEqual([true, '', true]);
    await page.evaluate(() => document.querySelector('onwhere-filter')?.toggleAttribute('required', true));
    expect(await validity()).toEqual([false, 'Please fill out this field.', true]);
    await page.evaluate(() => document.querySelector('onwhere-filter')?.toggleAttribute('disabled', true));
    expect(await submitted()).toBe(null);
    expect(await page.getByRole('button', { name: 'Conditions: Filter' }).isDisabled()).toBe(true);
  });

  it('tells changes by people, and none by the page', async () => {
    await page.evaluate(() =>
      Object.assign((globalThis as never as { element: FilterElement }).element, { value: 'true' }),
    );
    expect(await events()).toEqual([]);
    await replaceText(text(), 'false');
    expect(await events()).toEqual(['input false']);
    await page.getByRole('button', { name: 'Send' }).focus();
    expect(await events()).toEqual(['change false']);
    await text().focus();
    await page.getByRole('button', { name: 'Send' }).focus();
    expect(await events()).toEqual([]);
    await page.evaluate(() => {
      const { element } = globalThis as unknown as { element: FilterElement };
      element.addEventListener('input', () => Object.assign(element, { value: element.value }));
    });
    await replaceText(text(), 'true');
    await page.getByRole('button', { name: 'Send' }).focus();
    expect(await events()).toEqual(['input true', 'change true']);
  });

  it('reads dates in the time zone of its attribute', async () => {
    const midnights = 'datetime("2025-06-01") - datetime("2025-05-31T22:00:00Z")';
    await replaceText(text(), `1 / (${midnights}) > 0`);
    const codes = () =>
      page.evaluate(() =>
        (globalThis as unknown as { element: FilterElement }).element.result.diagnostics.map(({ code }) => code),
      );
    expect(await codes()).toEqual([]);
    await page.evaluate(() => document.querySelector('onwhere-filter')?.setAttribute('time-zone', 'Europe/Berlin'));
    expect(await codes()).toContain('no-value');
  });

  it('shows mistakes and corrects them on a click', async () => {
    await replaceText(text(), 'properties["plam"] = "pro"');
    expect(await messages()).toContain('`=` is not an operator.');
    await page.getByRole('button', { name: 'Write `==`' }).first().click();
    await expect.poll(value).toBe('properties["plam"] == "pro"');
    expect(await messages()).toContain('Did you mean "plan"?');
    await replaceText(text(), 'properties["plan"] == "pro"');
    expect(await messages()).toBe('boolean · reads properties["plan"]');
    await replaceText(text(), 'not(properties["plan"]=="pro")');
    await page.getByRole('button', { name: 'Format: Filter' }).click();
    await expect.poll(value).toBe('not properties["plan"] == "pro"');
  });

  it('shows rows that edit the text, and follow it', async () => {
    await page.getByRole('button', { name: 'Conditions: Filter' }).click();
    expect(await rows()).toEqual(['properties|plan||==|pro']);
    await field('Value').fill('free');
    expect(await value()).toBe('properties["plan"] == "free"');
    await page.getByRole('button', { name: '+ Condition' }).click();
    expect(await value()).toBe('properties["plan"] == "free"');
    await page.keyboard.type('amount');
    await field('Operator', 1).selectOption('is more than');
    await field('Value', 1).fill('100');
    expect(await value()).toBe('properties["plan"] == "free" and properties["amount"] > 100');
    await field('Match').selectOption('none of');
    expect(await value()).toBe('not (properties["plan"] == "free" or properties["amount"] > 100)');
    expect((await events()).at(-1)).toBe(`input ${await value()}`);
    await replaceText(
      text(),
      'properties["plan"] == "free" or 1 + 1 == 2 or properties["at"] < datetime("2025-06-01")',
    );
    expect(await rows()).toEqual(['properties|plan||==|free', '1 + 1 == 2', 'properties|at||time <|2025-06-01']);
    await page.getByRole('button', { name: 'Remove condition' }).first().click();
    await expect.poll(value).toBe('1 + 1 == 2 or properties["at"] < datetime("2025-06-01")');
    await replaceText(text(), 'properties["plan"] == ');
    expect(await page.locator('.rows :is(button, input, select):enabled').count()).toBe(0);
    await replaceText(text(), '');
    expect(await rows()).toEqual([]);
    await page.getByRole('button', { name: '+ Group' }).click();
    expect(
      await field('Property').evaluate((input) => input === (input.getRootNode() as ShadowRoot).activeElement),
    ).toBe(true);
    await page.keyboard.type('plan');
    await field('Operator').selectOption('is one of');
    await field('Value').fill('free, "a, b"');
    expect(await value()).toBe('properties["plan"] in ["free", "a, b"]');
  });

  it.each(['light', 'dark'] as const)('has no axe findings when %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await replaceText(text(), 'properties["plan"] = "pro"');
    expect(await axeFindings(page)).toEqual([]);
    await replaceText(text(), 'properties["plan"] == "pro" and (1 + 1 == 2 or properties["amount"] > 1)');
    await page.getByRole('button', { name: 'Conditions: Filter' }).click();
    expect(await axeFindings(page)).toEqual([]);
  });
});
