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
import { CHROMIUM, launchChromium } from '../../chromium.ts';
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

describe.skipIf(CHROMIUM === undefined)('in a browser', () => {
  beforeAll(async () => {
    const page = await browser.newPage();
    await openPage(page, await bundle(`${ROOT}test/editor/codemirror/page.ts`));
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

    it('shows each token as what it is, in a style of the page', async () => {
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
    ])('can be read without one, dark: %s', async (isDark, ground) => {
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
    it('a property and a value needs hardly any keys', async () => {
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

    it('the end of what was completed steps over it', async () => {
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

    it('completion closes brackets also where typing would not', async () => {
      await editor.mount({ schema, doc: '+1' });
      await editor.press('Home');
      await editor.type('flo');
      await editor.offered();
      await editor.take();
      expect(await editor.text()).toBe('floor(|)+1');
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).not.toContain('floor');
    });

    it('out every character comes to the same', async () => {
      await editor.mount({ schema });
      await editor.type('properties["plan"] in ["free", \'it\']  and (floor(1.5) == 1)');
      expect(await editor.text()).toBe('properties["plan"] in ["free", \'it\']  and (floor(1.5) == 1)|');
    });

    it('Enter breaks the line where a word or a text is whole', async () => {
      await editor.mount({ schema });
      await editor.type('properties["plan"] == "pro"');
      await editor.press('Enter');
      await editor.type('and');
      await editor.press('Enter');
      await editor.type('1 in [');
      await editor.press('Enter');
      expect(await editor.text()).toBe('properties["plan"] == "pro"\nand\n1 in [\n  |\n]');
    });

    it('closes brackets, and shows which belong together', async () => {
      await editor.mount();
      await editor.type('("a)" + (1');
      expect(await editor.text()).toBe('("a)" + (1|))');
      await editor.press('ArrowRight', 'ArrowRight');
      expect(await editor.texts('.cm-matchingBracket')).toEqual(['(', ')']);
      await editor.press('Backspace');
      expect(await editor.texts('.cm-nonmatchingBracket')).toEqual([]);
    });

    it('shows what a function does', async () => {
      await editor.mount();
      await editor.type('flo');
      await editor.offered();
      const [[example, answer] = []] = FUNCTIONS.floor.examples;
      await expect.poll(() => editor.texts('.cm-completionInfo p')).toContain(`${example} → ${answer}`);
      expect(await editor.texts('.cm-completionInfo code')).toContain(example);
      await editor.take();
      expect(await editor.text()).toBe('floor(|)');
    });

    it('and pasting can be undone', async () => {
      await editor.mount({ doc: 'properties["plan"]' });
      await editor.press('ControlOrMeta+a', 'ControlOrMeta+c', 'ArrowRight');
      await editor.type(' == ');
      await editor.press('ControlOrMeta+v');
      expect(await editor.text()).toBe('properties["plan"] == properties["plan"]|');
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).toBe('properties["plan"] == |');
    });
  });

  describe('mistakes', () => {
    it('are shown with what to do, and mended by a click', async () => {
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

    it('are shown where nothing is to be underlined', async () => {
      await editor.mount({ doc: '1 +' });
      await expect.poll(() => editor.all('.cm-lintPoint-error').count()).toBe(1);
    });

    it('are none where nothing is written', async () => {
      await editor.mount({ doc: '1 +' });
      await expect.poll(() => editor.all('.cm-lintPoint-error').count()).toBe(1);
      await editor.press('ControlOrMeta+a', 'Delete');
      await expect.poll(() => editor.all('.cm-lintPoint, .cm-lintRange').count()).toBe(0);
    });

    it('go by the schema and the use of the moment', async () => {
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

  it('what is under the mouse is told, with its types', async () => {
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
    it('formats, and the cursor stays with its token', async () => {
      await editor.mount({ doc: "NOT(PROPERTIES['a']==1)AND  TRUE" });
      await editor.press('ArrowLeft', 'ArrowLeft', 'Shift+Alt+f');
      expect(await editor.text()).toBe('not properties["a"] == 1 and tr|ue');
      await editor.press('ControlOrMeta+z');
      expect(await editor.text()).toBe("NOT(PROPERTIES['a']==1)AND  TR|UE");
    });

    it('leaves what is no expression, and says at once why', async () => {
      await editor.mount({ doc: 'true  ' });
      await editor.type('&& 1');
      await editor.press('Shift+Alt+f');
      expect(await editor.text()).toBe('true  && 1|');
      expect(await editor.texts('.cm-lintRange-error')).toEqual(['&&']);
    });
  });
});

describe.skipIf(CHROMIUM === undefined)('the example in the guide', () => {
  it('is an editor', async () => {
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

/** The contrast of two colours, by WCAG 2. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const linear = (part: number) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
