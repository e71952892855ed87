import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { compile } from 'svelte/compiler';
import ts from 'typescript';
import { build, type Plugin } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import type { FilterElement } from '../../src/editor/element/filter-element.ts';
import { CHROMIUM, launchChromium, replaceExpression } from './chromium.ts';
import { readText } from './explore/page.ts';

const ROOT = new URL('../../', import.meta.url);
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'";
const PRO = 'properties["plan"] == "pro"';

/** The state of an application. Each change of it renders the field again. */
interface State {
  readonly isShown: boolean;
  readonly value: string;
  /** The value of the last event `change`. */
  readonly committed: string;
  readonly label: string;
  readonly required: boolean;
  readonly disabled: boolean;
}
type Application = { readonly state: State; update(change: Partial<State>): void };

const INITIAL: State = { isShown: true, value: PRO, committed: '', label: 'Filter', required: false, disabled: false };

/** Development builds of frameworks warn of mistakes, and greet. Chromium tries to keep the colour of replaced text. */
const EXPECTED = /React DevTools|development build of Vue|^Applying inline style violates/;

/** Compiles components to JavaScript, as the plugins of Vue and Svelte do. */
const COMPONENTS: Plugin = {
  name: 'components',
  enforce: 'pre',
  transform(code, path) {
    if (path.endsWith('.svelte')) return compile(code, { filename: path, dev: true }).js;
    if (!path.endsWith('.vue')) return undefined;
    const isCustomElement = (tag: string) => tag === 'onwhere-filter';
    const { descriptor } = parse(code, { templateParseOptions: { isCustomElement } });
    const { content } = compileScript(descriptor, { id: 'field', inlineTemplate: true });
    const compilerOptions = {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ESNext,
      verbatimModuleSyntax: true,
    };
    return { code: ts.transpileModule(content, { compilerOptions }).outputText };
  },
};

/** Bundles an application for development: its framework then warns of mistakes. */
async function bundle(main: string): Promise<Map<string, string>> {
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('test/frameworks', ROOT)),
    logLevel: 'error',
    mode: 'development',
    plugins: [COMPONENTS],
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    resolve: {
      conditions: ['browser', 'development'],
      alias: { 'onwhere/element': fileURLToPath(new URL('dist/element.js', ROOT)) },
    },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: main, output: { entryFileNames: 'script.js' } },
    },
  });
  const [first] = [built].flat();
  if (first === undefined || !('output' in first)) throw new Error('There is no bundle');
  return new Map(first.output.map((file) => [`/${file.fileName}`, 'code' in file ? file.code : String(file.source)]));
}

describe.skipIf(CHROMIUM === undefined).each([
  ['React', 'react/main.jsx'],
  ['Vue', 'vue/main.js'],
  ['Svelte', 'svelte/main.js'],
])('<onwhere-filter> in %s', (_, main) => {
  let browser: Browser;
  let page: Page;
  let files = new Map<string, string>();
  const problems: string[] = [];

  beforeAll(async () => {
    files = await bundle(main);
    files.set('/state.js', `globalThis.state = ${JSON.stringify(INITIAL)};`);
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
      const body = files.get(pathname);
      if (body !== undefined) return route.fulfill({ headers, contentType: 'text/javascript; charset=utf-8', body });
      const scripts = '<script src="/state.js"></script><script type="module" src="/script.js"></script>';
      const form = '<form id="filters" action="/sent"><button>Send</button></form>';
      const html = `<!doctype html><html lang="en"><title>Filters</title>${scripts}<main><div id="app"></div>${form}</main>`;
      return route.fulfill({ headers, contentType: 'text/html; charset=utf-8', body: html });
    });
    await page.goto('http://frameworks.test/');
    await field().and(page.locator('.cm-content')).waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(problems.filter((problem) => !EXPECTED.test(problem))).toEqual([]);
  });

  const field = (label = INITIAL.label) => page.getByRole('textbox', { name: label, exact: true });
  const state = () => page.evaluate(() => ({ ...(globalThis as unknown as Application).state }));
  const update = (change: Partial<State>) =>
    page.evaluate((change) => {
      (globalThis as unknown as Application).update(change);
    }, change);
  const messages = () => readText(page.locator('.messages'));
  const submitted = () =>
    page.evaluate(() => {
      const form = document.querySelector('form') as HTMLFormElement;
      return [form.checkValidity(), new FormData(form).get('where')];
    });

  it('is a field that the application controls', async () => {
    expect(await readText(field())).toBe(PRO);
    await replaceExpression(field(), 'properties["paln"] == 1');
    await expect.poll(async () => (await state()).value).toBe('properties["paln"] == 1');
    expect(await readText(field())).toBe('properties["paln"] == 1');
    expect((await state()).committed).toBe('');
    await page.getByRole('button', { name: 'Send' }).focus();
    await expect.poll(async () => (await state()).committed).toBe('properties["paln"] == 1');
    await expect.poll(messages).toContain('Did you mean "plan"?');
    await update({ value: 'properties["plan"] == "free"' });
    await expect.poll(() => readText(field())).toBe('properties["plan"] == "free"');
    expect((await state()).committed).toBe('properties["paln"] == 1');
    await page.getByLabel('Value', { exact: true }).fill('pro');
    await expect.poll(async () => (await state()).value).toBe(PRO);
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('pro');
  });

  it('has the label and the other properties that the application sets', async () => {
    expect(await page.getByText('Filter', { exact: true }).isVisible()).toBe(true);
    await update({ label: 'Where', value: '' });
    await field('Where').waitFor();
    expect(await page.getByText('Where', { exact: true }).isVisible()).toBe(true);
    expect(await readText(field('Where'))).toContain('Everything');
    const properties = () =>
      page.locator('onwhere-filter').evaluate((element) => {
        const { name, className, use, timeZone, rows, required, form } = element as FilterElement;
        return [name, className, use, timeZone, rows, required, form?.id];
      });
    expect(await properties()).toEqual(['where', 'field', 'where', 'Europe/Berlin', true, false, 'filters']);
  });

  it('takes part in a form elsewhere on the page', async () => {
    expect(await submitted()).toEqual([true, PRO]);
    await update({ disabled: true });
    await expect.poll(submitted).toEqual([true, null]);
    expect(await page.locator('.rows :is(button, input, select):enabled').count()).toBe(0);
    await update({ disabled: false, required: true, value: '' });
    await expect.poll(submitted).toEqual([false, '']);
    await update({ value: 'false' });
    await expect.poll(submitted).toEqual([false, 'false']);
    await page.getByRole('button', { name: 'Send' }).click();
    expect(page.url()).toBe('http://frameworks.test/');
    await update({ value: 'true' });
    await expect.poll(submitted).toEqual([true, 'true']);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => page.url()).toBe('http://frameworks.test/sent?where=true');
  });

  it('can be removed and shown again', async () => {
    await update({ isShown: false });
    await expect.poll(() => page.locator('onwhere-filter').count()).toBe(0);
    expect(await submitted()).toEqual([true, null]);
    await update({ isShown: true, value: 'true' });
    await replaceExpression(field(), 'false');
    await expect.poll(async () => (await state()).value).toBe('false');
  });
});
