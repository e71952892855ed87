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

/** Without CodeMirror, its import fails. */
const EXPECTED = /Failed to resolve module/;

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

  it('has the members of a form field, and none besides those that it documents', async () => {
    const members = await page.evaluate(() => {
      const { element } = globalThis as unknown as { element: FilterElement };
      const prototype = Object.getPrototypeOf(element);
      return [
        Object.keys(element),
        Object.getOwnPropertyNames(prototype)
          .filter((name) => !/Callback$/.test(name))
          .sort(),
      ];
    });
    const field = 'defaultValue disabled form label labels name placeholder required type value'.split(' ');
    const validity = 'checkValidity reportValidity setCustomValidity validationMessage validity willValidate'.split(
      ' ',
    );
    const own = ['constructor', 'focus', 'notes', 'result', 'rows', 'schema', 'timeZone', 'use'];
    expect(members).toEqual([[], [...field, ...validity, ...own].sort()]);
  });

  it('reflects its attributes, as fields of the platform do', async () => {
    const reflected = await page.evaluate(() => {
      const { element } = globalThis as unknown as { element: FilterElement };
      const other = document.createElement('form');
      other.id = 'other';
      document.body.append(other);
      Object.assign(element, { use: 'other', required: 'yes', disabled: undefined, placeholder: null, form: 'other' });
      const first = [element.use, element.required, element.disabled, element.placeholder, element.form === other];
      Object.assign(element, { use: 'on', form: null, defaultValue: 'true', value: null, schema: null, notes: null });
      const second = [element.getAttribute('use'), element.form === document.forms[0], element.getAttribute('value')];
      return [...first, ...second, element.value, element.schema, element.notes, element.type];
    });
    const first = ['where', true, false, '', true];
    expect(reflected).toEqual([...first, 'on', true, 'true', '', undefined, [], 'onwhere-filter']);
  });

  it('is invalid with a message of the page', async () => {
    const validity = (message: string) =>
      page.evaluate((message) => {
        const { element } = globalThis as unknown as { element: FilterElement };
        element.setCustomValidity(message);
        const { customError, typeMismatch, valueMissing } = element.validity;
        return [element.willValidate, element.validationMessage, customError, typeMismatch, valueMissing];
      }, message);
    expect(await validity('This name is taken.')).toEqual([true, 'This name is taken.', true, false, false]);
    await replaceText(text(), 'properties["plan"] = "pro"');
    expect(await validity('This name is taken.')).toEqual([true, 'This name is taken.', true, true, false]);
    expect(await validity('')).toEqual([true, '`=` is not an operator.', false, true, false]);
    await page.evaluate(() => document.forms[0]?.requestSubmit());
    expect(await text().evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.evaluate(() => document.querySelector('onwhere-filter')?.toggleAttribute('disabled', true));
    expect((await validity(''))[0]).toBe(false);
  });

  it('is named by its label or by labels of the page, which lead to it', async () => {
    const named = (name: string) => page.getByRole('textbox', { name, exact: true });
    expect(await page.getByText('Filter', { exact: true }).isVisible()).toBe(true);
    await page.getByText('Filter', { exact: true }).click();
    expect(await named('Filter').evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.evaluate(() => {
      const { element } = globalThis as unknown as { element: FilterElement };
      const label = document.createElement('label');
      Object.assign(label, { htmlFor: 'where', textContent: 'Which events' });
      element.id = 'where';
      element.before(label);
      element.remove();
      element.removeAttribute('label');
      label.after(element);
    });
    await named('Which events').waitFor();
    expect(await page.getByText('Filter', { exact: true }).count()).toBe(0);
    const labels = () => page.evaluate(() => (globalThis as never as { element: FilterElement }).element.labels.length);
    expect(await labels()).toBe(1);
    await page.getByText('Which events', { exact: true }).click();
    expect(await named('Which events').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
  });

  it('takes over properties that were set before it was defined', async () => {
    const taken = await page.evaluate((schema) => {
      // In a document that is not shown, elements are not defined.
      const { body } = new DOMParser().parseFromString('<onwhere-filter></onwhere-filter>', 'text/html');
      const early = body.firstElementChild as FilterElement;
      Object.assign(early, { value: 'properties["paln"]', use: 'on', schema });
      document.body.append(early);
      return [early.value, early.getAttribute('use'), early.result.diagnostics.map(({ code }) => code)];
    }, SCHEMA);
    expect(taken).toEqual(['properties["paln"]', 'on', ['unknown-property']]);
  });

  it('keeps its editor when it is moved, and releases it when it is removed', async () => {
    const fields = (change: 'move' | 'remove') =>
      page.evaluate(async (change) => {
        const { element } = globalThis as unknown as { element: FilterElement };
        if (change === 'move') document.body.append(element);
        else element.remove();
        await Promise.resolve();
        return Array.from(
          element.shadowRoot?.querySelectorAll('.cm-content, textarea') ?? [],
          ({ tagName }) => tagName,
        );
      }, change);
    await replaceText(text(), 'true');
    expect(await fields('move')).toEqual([hasCodeMirror ? 'DIV' : 'TEXTAREA']);
    expect(await fields('remove')).toEqual(['TEXTAREA']);
    expect(await value()).toBe('true');
    await page.evaluate(() => document.body.append((globalThis as never as { element: FilterElement }).element));
    await replaceText(text(), 'false');
    expect(await value()).toBe('false');
  });

  it('can be styled by its parts, and hidden', async () => {
    await page.getByRole('button', { name: 'Conditions: Filter' }).click();
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('onwhere-filter::part(label) { display: none }');
      document.adoptedStyleSheets.push(sheet);
    });
    expect(await page.getByText('Filter', { exact: true }).isVisible()).toBe(false);
    const guide = readFileSync(new URL('../docs/guide/forms-and-editors.md', DIST), 'utf8');
    const [, named = ''] = /^The parts are (.*?)\.$/ms.exec(guide) ?? [];
    const parts = await page.evaluate(() => {
      const all = document.querySelector('onwhere-filter')?.shadowRoot?.querySelectorAll('[part]') ?? [];
      return [...new Set(Array.from(all, (element) => element.getAttribute('part')))].sort();
    });
    expect(Array.from(named.matchAll(/`(\w+)`/g), ([, part]) => part).sort()).toEqual(parts);
    await page.evaluate(() => document.querySelector('onwhere-filter')?.toggleAttribute('hidden', true));
    expect(await page.locator('onwhere-filter').isVisible()).toBe(false);
  });

  it.each([
    [700, 1],
    [390, 2],
  ])('shows conditions within %i pixels, each in %i lines', async (width, lines) => {
    await page.setViewportSize({ width, height: 800 });
    await replaceText(
      text(),
      'properties["plan"] == "pro" and (1 + 1 == 2 or not number(properties["amount"]) in [1, 2] and properties["at"] >= datetime("2025-06-01"))',
    );
    await page.getByRole('button', { name: 'Conditions: Filter' }).click();
    const places = await page.locator('.condition:not(:has(code))').evaluateAll((rows) =>
      rows.map((row) => {
        const controls = Array.from(row.querySelectorAll('input, select, button'), (one) =>
          one.getBoundingClientRect(),
        );
        const right = Math.max(...controls.map(({ right }) => right));
        return [
          new Set(controls.map(({ top, bottom }) => top + bottom)).size,
          right <= row.getBoundingClientRect().right,
        ];
      }),
    );
    expect(places).toEqual([1, 2, 3].map(() => [lines, true]));
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const widths = await page
      .locator('.condition input')
      .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
    expect(Math.min(...widths)).toBeGreaterThan(90);
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
    expect(await messages()).toBe('reads properties["plan"]');
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
