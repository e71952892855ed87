import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { highlight } from '../../../src/editor/highlight.ts';
import type { Schema } from '../../../src/lang/check/schema.ts';
import { FUNCTIONS } from '../../../src/lang/operators/table.ts';
import type { HighlightKind } from '../../../src/lang/syntax/vocabulary.ts';
import { CHROMIUM, launchChromium } from '../chromium.ts';
import { bundle, EditorPage, openPage } from './editor-page.ts';

const schema: Schema = {
  properties: {
    plan: { types: ['string'], values: ['free', 'pro'], description: 'What is paid for, `free` if nothing.' },
    amount: { types: ['number'] },
  },
};

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let browser: Browser;
beforeAll(async () => {
  if (CHROMIUM !== undefined) browser = await launchChromium();
});
afterAll(() => browser?.close());

let editor: EditorPage;

describe.skipIf(CHROMIUM === undefined)('CodeMirror in a browser', () => {
  beforeAll(async () => {
    const page = await browser.newPage();
    await openPage(page, await bundle(`${ROOT}test/browser/codemirror/page.ts`));
    editor = new EditorPage(page);
  });

  describe('highlighting', () => {
    const CLASSES: Readonly<Record<HighlightKind, string>> = {
      text: 'tok-string',
      escape: 'tok-string2',
      number: 'tok-number',
      constant: 'tok-atom',
      scope: 'tok-variableName2',
      property: 'tok-propertyName',
      function: 'tok-variableName',
      keyword: 'tok-keyword',
      operator: 'tok-operator',
      bracket: 'tok-punctuation',
      punctuation: 'tok-punctuation',
      invalid: 'tok-invalid',
    };
    const doc = 'user["a b"] in ["x\\n", 1.5] AND not floor(now) >= 2 && plan ☃';

    it('gives each token the style of the page', async () => {
      await editor.mount({ doc, isStyled: true });
      const shown = await editor.all('.cm-line span[class^=tok-]').evaluateAll((spans) => {
        return spans.map((span) => [span.textContent, span.className]);
      });
      const expected = highlight(doc).map(({ kind, span }) => [doc.slice(span.start, span.end), CLASSES[kind]]);
      expect(shown).toEqual(expected);
      expect(await editor.all('.cm-line [class^=cm-onwhere]').count()).toBe(0);
    });

    it.each([
      [false, [255, 255, 255]],
      [true, [30, 30, 30]],
    ])('has enough contrast without a style, dark: %s', async (isDark, ground) => {
      await editor.mount({ doc, isDark });
      const colours = await editor.all('.cm-line [class^=cm-onwhere]').evaluateAll((spans) => {
        return spans.map((span) => (getComputedStyle(span).color.match(/\d+/g) ?? []).map(Number));
      });
      const plain = ['operator', 'bracket', 'punctuation', 'invalid'];
      const kinds = highlight(doc).filter(({ kind }) => !plain.includes(kind));
      expect(colours).toHaveLength(kinds.length);
      expect(Math.min(...colours.map((colour) => contrast(colour, ground)))).toBeGreaterThan(4.5);
    });
  });

  describe('typing', () => {
    it('completes a property and a value with few keys', async () => {
      await editor.mount({ schema });
      await editor.type('prop');
      await expect.poll(async () => (await editor.offered())[0]).toBe('properties');
      await editor.take();
      expect(await editor.text()).toBe('properties["|"]');
      await expect.poll(() => editor.offered()).toEqual(['plan', 'amount']);
      await editor.take();
      expect(await editor.text()).toBe('properties["plan"]|');
      await editor.type(' == "');
      await expect.poll(() => editor.offered()).toEqual(['"free"', '"pro"']);
      await editor.type('p');
      await expect.poll(() => editor.texts('.cm-completionLabel')).toEqual(['"pro"']);
      await editor.take();
      expect(await editor.text()).toBe('properties["plan"] == "pro"|');
    });

    it('moves over the closing bracket of a completion', async () => {
      await editor.mount({ schema });
      await editor.type('number(prop');
      await editor.offered();
      await editor.take();
      await editor.type('amount"]) > 1+flo');
      await editor.offered();
      await editor.take();
      await editor.type('2.5)');
      expect(await editor.text()).toBe('number(properties["amount"]) > 1+floor(2.5)|');
    });

    it('closes brackets of a completion even where typing would not', async () => {
      await editor.mount({ schema, doc: '+1' });
      await editor.press('Home');
      await editor.type('flo');
      await editor.offered();
      await editor.take();
      expect(await editor.text()).toBe('floor(|)+1');
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).not.toContain('floor');
    });

    it('gives the same result when every character is typed', async () => {
      await editor.mount({ schema });
      await editor.type('properties["plan"] in ["free", \'it\']  and (floor(1.5) == 1)');
      expect(await editor.text()).toBe('properties["plan"] in ["free", \'it\']  and (floor(1.5) == 1)|');
    });

    it('inserts a line break on Enter after a complete word or string', async () => {
      await editor.mount({ schema });
      await editor.type('properties["plan"] == "pro"');
      await editor.press('Enter');
      await editor.type('and');
      await editor.press('Enter');
      await editor.type('1 in [');
      await editor.press('Enter');
      expect(await editor.text()).toBe('properties["plan"] == "pro"\nand\n1 in [\n  |\n]');
    });

    it('closes brackets and shows matching ones', async () => {
      await editor.mount();
      await editor.type('("a)" + (1');
      expect(await editor.text()).toBe('("a)" + (1|))');
      await editor.press('ArrowRight', 'ArrowRight');
      expect(await editor.texts('.cm-matchingBracket')).toEqual(['(', ')']);
      await editor.press('Backspace');
      expect(await editor.texts('.cm-nonmatchingBracket')).toEqual([]);
    });

    it('shows the documentation of a function', async () => {
      await editor.mount();
      await editor.type('flo');
      await editor.offered();
      const [[example, answer] = []] = FUNCTIONS.floor.examples;
      await expect.poll(() => editor.texts('.cm-completionInfo p')).toContain(`${example} → ${answer}`);
      expect(await editor.texts('.cm-completionInfo code')).toContain(example);
      await editor.take();
      expect(await editor.text()).toBe('floor(|)');
    });

    it('can be undone, like pasting', async () => {
      await editor.mount({ doc: 'properties["plan"]' });
      await editor.press('ControlOrMeta+a', 'ControlOrMeta+c', 'ArrowRight');
      await editor.type(' == ');
      await editor.press('ControlOrMeta+v');
      expect(await editor.text()).toBe('properties["plan"] == properties["plan"]|');
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).toBe('properties["plan"] == |');
    });
  });

  describe('diagnostics', () => {
    it('removes an error as soon as it is corrected, and keeps others', async () => {
      await editor.mount({ doc: 'properties["plan"] = "pro" and properties["amount"] = 1' });
      await expect.poll(() => editor.texts('.cm-lintRange-error')).toEqual(['=', '=']);
      expect(await editor.countErrorsAfter('properties["plan"] ='.length, '=')).toBe(1);
    });

    it('are shown with their help and fixed by a click', async () => {
      await editor.mount({ schema });
      await editor.type('properties["plan"] = "pro"');
      await editor.press('Escape');
      await editor.all('.cm-lintRange-error').waitFor();
      expect(await editor.texts('.cm-lintRange-error')).toEqual(['=']);
      await editor.pointAt('= "');
      await editor.all('.cm-tooltip-lint').waitFor();
      expect(await editor.texts('.cm-diagnosticText')).toEqual(['`=` is not an operator.\nWrite `==`.']);
      await editor.all('.cm-diagnosticAction').click();
      expect(await editor.text()).toBe('properties["plan"] == "pro"|');
      await expect.poll(() => editor.all('.cm-lintRange').count()).toBe(0);
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).toBe('properties["plan"] = "pro"|');
    });

    it('are shown even if there is nothing to underline', async () => {
      await editor.mount({ doc: '1 +' });
      await expect.poll(() => editor.all('.cm-lintPoint-error').count()).toBe(1);
    });

    it('are not shown for an empty expression', async () => {
      await editor.mount({ doc: '1 +' });
      await expect.poll(() => editor.all('.cm-lintPoint-error').count()).toBe(1);
      await editor.press('ControlOrMeta+a', 'Delete');
      await expect.poll(() => editor.all('.cm-lintPoint, .cm-lintRange').count()).toBe(0);
    });

    it('follow the current schema and use', async () => {
      await editor.mount({ schema, doc: 'user["plan"] + properties["plan"]' });
      await editor.reconfigure({ schema: { user: {} }, use: 'where' });
      const warned = async () => (await editor.texts('.cm-lintRange-warning')).join('');
      await expect.poll(warned).toContain('user["plan"]');
      await editor.reconfigure({ schema: { properties: { size: { types: ['number'] } } } });
      await expect.poll(warned).toBe('properties["plan"]');
      await editor.press('ControlOrMeta+a');
      await editor.type('properties["');
      await expect.poll(() => editor.offered()).toEqual(['size']);
    });
  });

  it('shows the types of the expression under the mouse', async () => {
    const plan = {
      types: ['string'],
      values: ['free', '`<b>'],
      description: 'Pays for `more`, or <b>nothing</b>`.',
    } as const;
    await editor.mount({ schema: { properties: { plan } }, doc: 'properties["plan"] == "free"' });
    await editor.pointAt('plan');
    await editor.all('.cm-onwhere-hover').waitFor();
    expect(await editor.texts('.cm-onwhere-hover > p')).toEqual(['properties["plan"] is a string or undefined']);
    expect(await editor.texts('.cm-onwhere-documentation p')).toEqual([
      'Pays for more, or <b>nothing</b>`.',
      'Values: "free", "`<b>"',
    ]);
    expect(await editor.texts('.cm-onwhere-documentation code')).toEqual(['more', '"free"', '"`<b>"']);
  });

  describe('Shift-Alt-f', () => {
    it('formats and keeps the cursor at its token', async () => {
      await editor.mount({ doc: "NOT(PROPERTIES['a']==1)AND  TRUE" });
      await editor.press('ArrowLeft', 'ArrowLeft', 'Shift+Alt+f');
      expect(await editor.text()).toBe('not properties["a"] == 1 and tr|ue');
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).toBe("NOT(PROPERTIES['a']==1)AND  TR|UE");
    });

    it('leaves an expression with a syntax error unchanged and shows the error', async () => {
      await editor.mount({ doc: 'true  ' });
      await editor.type('&& 1');
      await editor.press('Shift+Alt+f');
      expect(await editor.text()).toBe('true  && 1|');
      expect(await editor.texts('.cm-lintRange-error')).toEqual(['&&']);
    });
  });
});

describe.skipIf(CHROMIUM === undefined)('CodeMirror example in the guide', () => {
  it('runs', async () => {
    const [, example = ''] =
      /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(`${ROOT}docs/guide/forms-and-editors.md`, 'utf8')) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'onwhere-codemirror-'));
    symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'));
    const file = join(folder, 'example.ts');
    writeFileSync(file, `${example}editor.focus();\nObject.assign(window, { editor });`);
    const page = await browser.newPage();
    await openPage(page, await bundle(file));
    rmSync(folder, { recursive: true });
    const shown = new EditorPage(page);
    await shown.press('ControlOrMeta+End');
    await shown.type(' and properties["');
    await expect.poll(() => shown.offered()).toEqual(['plan', 'country']);
    await page.close();
  });
});

/** Returns the WCAG 2 contrast ratio of two colours. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const linear = (part: number) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
