import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { compile } from 'svelte/compiler';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileScript, parse } from 'vue/compiler-sfc';
import { blocksIn, ROOT } from '../docs/pages.ts';
import { CHROMIUM, launchChromium, replaceExpression } from './chromium.ts';
import { readText } from './explore/page.ts';

const GUIDE = 'docs/guide/forms-and-editors.md';

/** The result of a line, which `test/docs/examples.test.ts` compares in Node.js. */
const RESULT = /^(.+); \/\/ → (.+)$/gm;

const FILTER = 'properties["plan"] == "pro"';

/** Code that shows an example component with a filter, and keeps its value in `shown`. */
const REACT = `
  import { useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { Filter } from './example.jsx';

  function App() {
    const [value, setValue] = useState(${JSON.stringify(FILTER)});
    globalThis.shown = value;
    return <Filter schema={{ properties: { plan: { types: ['string'] } } }} value={value} onChange={setValue} />;
  }
  createRoot(document.querySelector('#app')).render(<App />);
`;
const VUE = `
  import { createApp, h, ref } from 'vue';
  import Filter from './example.js';

  const value = ref(${JSON.stringify(FILTER)});
  globalThis.shown = value.value;
  createApp({
    render: () => h(Filter, {
      schema: { properties: { plan: { types: ['string'] } } },
      modelValue: value.value,
      'onUpdate:modelValue': (given) => { globalThis.shown = value.value = given; },
    }),
  }).mount('#app');
`;
const SVELTE = `
  <script>
    import Filter from './example.svelte.js';

    let value = $state(${JSON.stringify(FILTER)});
    $effect(() => {
      globalThis.shown = value;
    });
  </script>
  <Filter schema={{ properties: { plan: { types: ['string'] } } }} bind:value />
`;
const MOUNT_SVELTE = `
  import { mount } from 'svelte';
  import App from './parent.js';

  mount(App, { target: document.querySelector('#app') });
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-examples-'));
  // Examples import this package by its name, and frameworks from the packages of the tests.
  const root = fileURLToPath(ROOT);
  for (const name of ['package.json', 'dist']) symlinkSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles files, of which the first is the entry, as an application does. */
async function bundle(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    mode: 'production',
    resolve: {
      alias: [
        { find: /^onwhere$/, replacement: join(folder, 'dist/index.js') },
        { find: /^onwhere\/(.+)$/, replacement: join(folder, 'dist/$1.js') },
      ],
    },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: join(folder, Object.keys(files)[0] as string),
        output: { entryFileNames: 'script.js', inlineDynamicImports: true },
      },
    },
  });
  const [first] = [built].flat();
  const script = first && 'output' in first ? first.output.find(({ fileName }) => fileName === 'script.js') : undefined;
  if (script === undefined || !('code' in script)) throw new Error('There is no bundle');
  return script.code;
}

describe.skipIf(CHROMIUM === undefined)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    problems.length = 0;
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto('http://examples.test/');
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  async function show(html: string, script: string): Promise<void> {
    await page.setContent(`<!doctype html><main id="app">${html}</main>`);
    await page.addScriptTag({ type: 'module', content: script });
  }

  const shown = () => page.evaluate(() => (globalThis as unknown as { shown: string }).shown);
  const field = () => page.getByRole('textbox', { name: 'Filter', exact: true });

  /** Types into a filter, whose application gives it back. */
  async function expectControlled(): Promise<void> {
    await expect.poll(() => field().count()).toBe(1);
    expect(await readText(field())).toBe(FILTER);
    await replaceExpression(field(), 'properties["plan"] = 1');
    await expect.poll(shown).toBe('properties["plan"] = 1');
    await expect.poll(() => readText(page.locator('.messages'))).toContain('`=` is not an operator');
    expect(await readText(field())).toBe('properties["plan"] = 1');
  }

  it('the example for React is a field that the application controls', async () => {
    const [example] = blocksIn('jsx').filter((block) => block.page === GUIDE);
    await show('', await bundle({ 'app.jsx': REACT, 'example.jsx': example?.text ?? '' }));
    await expectControlled();
  });

  it('the example for Vue is a field that the application controls', async () => {
    const example = blocksIn('html').find(({ text }) => text.includes('<template>'));
    const compilerOptions = { isCustomElement: (tag: string) => tag === 'onwhere-filter' };
    const { descriptor } = parse(example?.text ?? '', { templateParseOptions: compilerOptions });
    const { content } = compileScript(descriptor, {
      id: 'example',
      inlineTemplate: true,
      templateOptions: { compilerOptions },
    });
    await show('', await bundle({ 'app.js': VUE, 'example.js': content }));
    await expectControlled();
  });

  it('the example for Svelte is a field that the application controls', async () => {
    const [example] = blocksIn('svelte');
    const compiled = (source = '') => compile(source, {}).js.code;
    const components = { 'example.svelte.js': compiled(example?.text), 'parent.js': compiled(SVELTE) };
    await show('', await bundle({ 'app.js': MOUNT_SVELTE, ...components }));
    await expectControlled();
  });

  it('the example of a form is submitted with its filter', async () => {
    const example = blocksIn('html').find(({ text }) => text.includes('<form>'));
    const [, html = '', script = ''] = /^(.*)<script type="module">(.*)<\/script>/s.exec(example?.text ?? '') ?? [];
    await show(html, await bundle({ 'app.js': script }));
    await expect.poll(() => field().count()).toBe(1);
    expect(await page.evaluate(() => new FormData(document.forms[0]).get('where'))).toBe(FILTER);
    expect(await page.locator('.condition').count()).toBe(1);
  });

  const examples = blocksIn('js').flatMap((block) => {
    const imported = Array.from(block.text.matchAll(/from '([^']+)'/g), ([, name = '']) => name);
    const results = Array.from(block.text.matchAll(RESULT), ([, , result = '']) => result);
    return results.length > 0 && imported.every((name) => /^onwhere(?:\/|$)/.test(name)) ? [{ ...block, results }] : [];
  });

  it.each(examples)('the example prints the results that it shows: $page: $text', async ({ text, results }) => {
    const printing = text.replace(RESULT, 'globalThis.shown.push(JSON.stringify($1) ?? "undefined");');
    await page.evaluate(() => Object.assign(globalThis, { shown: [] }));
    await page.addScriptTag({ type: 'module', content: await bundle({ 'example.js': printing }) });
    await expect.poll(shown).toEqual(results);
  });

  it('has examples', () => expect(examples.length).toBeGreaterThan(15));
});
