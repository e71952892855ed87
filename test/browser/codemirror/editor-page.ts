import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { build } from 'vite';
import type { MountOptions } from './page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles a file with its imports, and with the built package. */
export async function bundle(entry: string): Promise<string> {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { 'onwhere/codemirror': `${ROOT}dist/codemirror.js` } },
    build: { write: false, minify: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  });
  const [first] = [result].flat();
  if (first === undefined || !('output' in first)) throw new Error('There is no bundle');
  return first.output[0].code;
}

/** Opens a page that only has a script. */
export async function openPage(page: Page, script: string): Promise<void> {
  await page.route('http://editor.test/', (route) => {
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: '<!doctype html><title>Editor</title><body><script src="script.js"></script>',
    });
  });
  await page.route('http://editor.test/script.js', (route) => {
    return route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script });
  });
  await page.goto('http://editor.test/');
}

/** The globals of page.ts. */
interface Left {
  readonly mount: (wish: MountOptions) => void;
  readonly reconfigure: (options: MountOptions) => void;
  readonly editor: import('@codemirror/view').EditorView;
}

/** An editor in a browser, used with keys and the mouse. */
export class EditorPage {
  constructor(private readonly page: Page) {}

  /** Mounts the only editor of the page, with the cursor at the end. */
  mount(wish: MountOptions = {}): Promise<void> {
    return this.page.evaluate((wished) => (window as unknown as Left).mount(wished), wish);
  }

  reconfigure(options: MountOptions): Promise<void> {
    return this.page.evaluate((changed) => (window as unknown as Left).reconfigure(changed), options);
  }

  /** The text, with `|` at the cursor. */
  text(): Promise<string> {
    return this.page.evaluate(() => {
      const { state } = (window as unknown as Left).editor;
      const at = state.selection.main.head;
      return `${state.sliceDoc(0, at)}|${state.sliceDoc(at)}`;
    });
  }

  /** Inserts a text and returns how many errors are marked at once, before the next check. */
  countErrorsAfter(at: number, insert: string): Promise<number> {
    return this.page.evaluate(
      (changes) => {
        (window as unknown as Left).editor.dispatch({ changes });
        return document.querySelectorAll('.cm-lintRange-error').length;
      },
      { from: at, insert },
    );
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  all(selector: string): Locator {
    return this.page.locator(selector);
  }

  /** Returns the texts of all elements that match a selector. */
  texts(selector: string): Promise<string[]> {
    return this.page.locator(selector).allInnerTexts();
  }

  /** Waits for completions. On a busy machine, those for the previous keys may come first. */
  async offered(): Promise<string[]> {
    await this.page.locator('.cm-tooltip-autocomplete li').first().waitFor();
    return this.texts('.cm-tooltip-autocomplete .cm-completionLabel');
  }

  /** Accepts the selected completion. CodeMirror ignores this shortly after the list has opened. */
  async take(): Promise<void> {
    const before = await this.text();
    while ((await this.text()) === before) {
      await this.press('Tab');
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  /** Moves the mouse over a part of the text. */
  async pointAt(piece: string): Promise<void> {
    const box = await this.page.evaluate((sought) => {
      const { editor } = window as unknown as Left;
      const at = editor.state.doc.toString().indexOf(sought);
      const [from, to] = [editor.coordsAtPos(at), editor.coordsAtPos(at + 1)];
      return from && to && { x: (from.left + to.left) / 2, y: (from.top + from.bottom) / 2 };
    }, piece);
    if (!box) throw new Error(`${piece} is not to be seen`);
    await this.page.mouse.move(box.x - 1, box.y);
    await this.page.mouse.move(box.x, box.y);
  }
}
