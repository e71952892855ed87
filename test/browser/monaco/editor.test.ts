import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { highlight } from '../../../src/editor/highlight.ts';
import { DEFAULT_LENGTH } from '../../../src/lang/syntax/parse.ts';
import { eventually } from '../../eventually.ts';
import { CHROMIUM, launchChromium } from '../chromium.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles the page with Monaco, its styles and the built package. */
async function bundlePage(): Promise<{ readonly script: string; readonly style: string }> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/browser/monaco/page.ts`],
    bundle: true,
    write: false,
    outdir: 'out',
    loader: { '.ttf': 'empty' },
    logLevel: 'error',
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** The globals of page.ts. */
interface Left {
  readonly monaco: typeof import('monaco-editor/editor');
  readonly mount: (value: string, path: string) => void;
  readonly registered: { dispose(): void };
  readonly editor: import('monaco-editor/editor').editor.IStandaloneCodeEditor;
}

describe.skipIf(CHROMIUM === undefined)('Monaco in a browser', () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const { script, style } = await bundlePage();
    browser = await launchChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.route('http://editor.test/**', (route) => {
      const body = `<!doctype html><title>Editor</title><link rel="icon" href="data:,"><body>`;
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    });
    await page.goto('http://editor.test/');
    await page.addStyleTag({ content: style });
    await page.addScriptTag({ content: script });
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    problems.length = 0;
    return () => expect(problems).toEqual([]);
  });

  const mount = (value = '', path = '/filter') =>
    page.evaluate(([text, name]) => (window as unknown as Left).mount(text, name), [value, path] as const);

  /** The text, with `|` at the cursor. */
  const text = () =>
    page.evaluate(() => {
      const { editor } = window as unknown as Left;
      const [model, position] = [editor.getModel(), editor.getPosition()];
      if (model === null || position === null) throw new Error('There is no model');
      const at = model.getOffsetAt(position);
      return `${model.getValue().slice(0, at)}|${model.getValue().slice(at)}`;
    });

  /** The underlined parts of the text, with their messages. */
  const markers = () =>
    page.evaluate(() => {
      const { editor, monaco } = window as unknown as Left;
      const model = editor.getModel();
      return monaco.editor.getModelMarkers({}).map((marker) => [model?.getValueInRange(marker), marker.message]);
    });

  const run = (action: string) =>
    page.evaluate((id) => (window as unknown as Left).editor.trigger('test', id, {}), action);

  const suggestions = (): Locator => page.locator('.suggest-widget.visible .monaco-list-row');

  /** The labels of the suggestions, in the order that the page shows. */
  const offered = () =>
    suggestions().evaluateAll((rows) =>
      rows
        .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => row.querySelector('.label-name')?.textContent),
    );

  /** Accepts the first suggestion, once it has the label. */
  async function take(label: string): Promise<void> {
    await eventually(async () => expect((await offered())[0]).toBe(label));
    const before = await text();
    await run('acceptSelectedSuggestion');
    await eventually(async () => expect(await text()).not.toBe(before));
  }

  it('colours each kind of token', async () => {
    const source = 'user["a b"] in ["x\\n", 1.5] AND not floor(now) >= 2 && plan ☃';
    await mount(source);
    const kinds = highlight(source).filter(({ kind }) => !['bracket', 'invalid'].includes(kind));
    await eventually(async () => {
      const shown = await page.locator('.view-line span[class^=mtk]').evaluateAll((spans) => {
        return spans.map((span) => [span.textContent ?? '', getComputedStyle(span).color] as const);
      });
      const colours = shown.flatMap(([piece, colour]) => Array.from(piece, () => colour));
      expect(colours).toHaveLength(source.length);
      const byKind = new Map<string, string>();
      for (const { kind, span } of kinds) {
        const colour = [...new Set(colours.slice(span.start, span.end))].join();
        expect(byKind.get(kind) ?? colour).toBe(colour);
        byKind.set(kind, colour);
      }
      // Operators and punctuation look like plain text, and escapes like constants.
      expect(byKind.size).toBe(10);
      expect(new Set(byKind.values()).size).toBe(8);
      expect(byKind.get('operator')).toBe(colours[source.indexOf('plan')]);
    });
  });

  describe('completion', () => {
    it('offers names and values of the schema, and inserts them', async () => {
      await mount();
      await page.keyboard.type('prop');
      await take('properties');
      expect(await text()).toBe('properties["|"]');
      await eventually(async () => expect(await offered()).toEqual(['plan', 'amount']));
      await take('plan');
      expect(await text()).toBe('properties["plan"]|');
      await page.keyboard.type(' == "');
      await eventually(async () => expect(await offered()).toEqual(['"free"', '"pro"']));
      await page.keyboard.type('p');
      await eventually(async () => expect(await offered()).toEqual(['"pro"']));
      await take('"pro"');
      expect(await text()).toBe('properties["plan"] == "pro"|');
    });

    it('puts the cursor between the parentheses of a function', async () => {
      await mount();
      await page.keyboard.type('flo');
      await take('floor');
      expect(await text()).toBe('floor(|)');
    });

    it('opens no list after an operand and a space', async () => {
      await mount('true');
      await page.keyboard.type(' ');
      await page.keyboard.press('Enter');
      await page.keyboard.type('and 1 in [');
      expect(await text()).toBe('true \nand 1 in [|]');
    });

    it('follows the schema of the model', async () => {
      await mount('', '/other');
      await page.keyboard.type('user["plan"] or properties["');
      await take('country');
      expect(await text()).toBe('user["plan"] or properties["country"]|');
    });
  });

  it('shows the types and the documentation under the cursor', async () => {
    await mount('properties["plan"] == "free"');
    await page.evaluate(() => (window as unknown as Left).editor.setPosition({ lineNumber: 1, column: 14 }));
    await run('editor.action.showHover');
    await eventually(async () => {
      const shown = await page.locator('.monaco-hover:not(.hidden) .hover-contents').allInnerTexts();
      expect(shown.join('\n').replaceAll('\u00a0', ' ')).toMatch(
        /properties\["plan"\]\s+string or undefined\s+What is paid for, free if nothing\.\s+Values: "free", "pro"/,
      );
    });
  });

  describe('diagnostics', () => {
    const ONE = ['=', '`=` is not an operator.\nWrite `==`.'];

    it('are markers with a link, and are underlined', async () => {
      await mount('properties["plan"] = "pro"');
      expect(await markers()).toEqual([ONE]);
      await page.locator('.squiggly-error').waitFor();
      const link = await page.evaluate(() => {
        const [marker] = (window as unknown as Left).monaco.editor.getModelMarkers({ owner: 'onwhere' });
        return typeof marker?.code === 'object' ? [marker.code.value, marker.code.target.toString()] : [];
      });
      expect(link).toEqual(['single-equals', 'http://editor.test/help/single-equals']);
    });

    it('are fixed by the preferred quick fix', async () => {
      await mount('properties["plan"] = "pro"');
      await page.evaluate(() => (window as unknown as Left).editor.setPosition({ lineNumber: 1, column: 20 }));
      // Monaco enables the command once it knows what can be fixed.
      await eventually(async () => {
        await run('editor.action.autoFix');
        expect((await text()).replace('|', '')).toBe('properties["plan"] == "pro"');
      });
      await eventually(async () => expect(await markers()).toEqual([]));
    });

    it('are offered as quick fixes with their titles', async () => {
      await mount('1 < 2 and properties["plan"] = "pro"');
      await page.evaluate(() => (window as unknown as Left).editor.setPosition({ lineNumber: 1, column: 30 }));
      await run('editor.action.quickFix');
      await eventually(async () => {
        expect(await page.locator('.action-widget .monaco-list-row.action .title').allInnerTexts()).toEqual([
          'Write `==`',
        ]);
      });
      await page.keyboard.press('Enter');
      await eventually(async () =>
        expect((await text()).replace('|', '')).toBe('1 < 2 and properties["plan"] == "pro"'),
      );
    });

    it('disappear as soon as they are corrected, while others stay', async () => {
      await mount('properties["plan"] = "pro" and properties["amount"] = 1 and properties["plam"] == 1');
      expect((await markers()).map(([code]) => code)).toEqual(['=', '=']);
      const left = await page.evaluate(() => {
        const { editor, monaco } = window as unknown as Left;
        const model = editor.getModel();
        model?.setValue('properties["plan"] == "pro" and properties["amount"] = 1 and properties["plan"] => 1');
        return monaco.editor.getModelMarkers({}).map((marker) => model?.getValueInRange(marker));
      });
      expect(left).toEqual(['=']);
      await eventually(async () => expect((await markers()).length).toBeGreaterThan(1));
    });

    it('underline the last character if something is missing at the end', async () => {
      await mount('1 +');
      expect((await markers()).map(([code]) => code)).toEqual(['+']);
    });

    it('are not shown for an empty expression, nor for other languages', async () => {
      await mount(' ');
      expect(await markers()).toEqual([]);
      await mount('1 = 1');
      expect(await markers()).toHaveLength(1);
      await page.evaluate(() => {
        const { editor, monaco } = window as unknown as Left;
        const model = editor.getModel();
        if (model) monaco.editor.setModelLanguage(model, 'plaintext');
      });
      expect(await markers()).toEqual([]);
    });
  });

  it('formats, unless there is a syntax error', async () => {
    await mount("NOT(PROPERTIES['plan']==1)AND  TRUE");
    await run('editor.action.formatDocument');
    await eventually(async () => {
      expect((await text()).replace('|', '')).toBe('not properties["plan"] == 1 and true');
    });
    await mount('1 = 1');
    await page.evaluate(() => (window as unknown as Left).editor.getAction('editor.action.formatDocument')?.run());
    expect(await text()).toBe('1 = 1|');
  });

  it('reads only the length of an expression', async () => {
    const long = '(["'.repeat(DEFAULT_LENGTH);
    await mount(long);
    expect((await markers()).map(([, message]) => message)).toEqual([expect.stringContaining('65536')]);
    await page.keyboard.type('["');
    await run('editor.action.triggerSuggest');
    await eventually(async () => expect((await text()).length).toBeGreaterThan(long.length + 2));
    await mount('1 = 1');
    expect(await markers()).toHaveLength(1);
  });

  it('leaves nothing behind when it is disposed of', async () => {
    await mount('properties["plan"] = "pro"');
    expect(await markers()).toHaveLength(1);
    await page.evaluate(() => (window as unknown as Left).registered.dispose());
    expect(await markers()).toEqual([]);
    await mount('properties["plan"] = "pro" and prop');
    expect(await markers()).toEqual([]);
    const scopes = await page.evaluate(() => (window as unknown as Left).monaco.editor.tokenize('true', 'onwhere'));
    expect(scopes[0]?.map(({ type }) => type)).toEqual(['']);
    await run('editor.action.triggerSuggest');
    await eventually(async () =>
      expect(await page.locator('.suggest-widget.visible').textContent()).toContain('No suggestions'),
    );
  });
});
