import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Compartment } from '@codemirror/state';
import { EditorView, keymap, tooltips } from '@codemirror/view';
import { check, evaluate, inferSchema, type Properties, type Schema } from '../../../src/api/core.ts';
import { onwhere } from '../../../src/editor/codemirror/index.ts';

/** An editor for one expression and its record. Below the expression is its result. */
export class ExampleEditor {
  private readonly view: EditorView;
  private readonly result = document.createElement('div');
  private readonly record = document.createElement('textarea');
  private readonly theme = new Compartment();
  private readonly support = new Compartment();

  constructor(
    private readonly parent: HTMLElement,
    source: string,
    record: string,
    isDark: boolean,
    private readonly pageOf: (code: string) => string,
  ) {
    this.view = new EditorView({
      parent,
      doc: source,
      extensions: [
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        history(),
        closeBrackets(),
        bracketMatching(),
        autocompletion(),
        tooltips({ parent: document.body }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Expression' }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) this.show();
        }),
        this.theme.of(EditorView.darkTheme.of(isDark)),
        this.support.of([]),
      ],
    });
    this.result.className = 'live-answer';
    this.result.setAttribute('aria-live', 'polite');
    this.record.value = record;
    this.record.rows = record.split('\n').length;
    this.record.setAttribute('aria-label', 'Record');
    this.record.spellcheck = false;
    this.record.addEventListener('input', () => this.readRecord());
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    summary.textContent = 'Record';
    details.append(summary, this.record);
    parent.append(this.result, details);
    this.readRecord();
  }

  /** Follows the color scheme of the page. */
  setDark(isDark: boolean): void {
    this.view.dispatch({ effects: this.theme.reconfigure(EditorView.darkTheme.of(isDark)) });
  }

  /** Removes the editor from the page. */
  destroy(): void {
    this.view.destroy();
    this.parent.replaceChildren();
  }

  private readRecord(): void {
    const properties = propertiesIn(this.record.value);
    const schema: Schema = properties === undefined ? { properties: {} } : inferSchema([{ properties }]);
    const support = onwhere({ ...(properties && { schema }), diagnosticUrl: this.pageOf });
    this.view.dispatch({ effects: this.support.reconfigure(support) });
    this.show();
  }

  private show(): void {
    const source = this.view.state.doc.toString();
    const properties = propertiesIn(this.record.value);
    this.result.replaceChildren(
      properties === undefined ? 'The record is not a JSON object.' : this.renderResult(source, properties),
    );
  }

  private renderResult(source: string, properties: Properties): Node {
    const { ok, diagnostics } = check(source);
    if (ok) return code(`→ ${resultOf(source, properties)}`);
    const list = document.createElement('ul');
    for (const { code: name, message, help } of diagnostics) {
      const link = document.createElement('a');
      link.href = this.pageOf(name);
      link.textContent = name;
      const item = document.createElement('li');
      item.append(`${message} ${help ?? ''} `, link);
      list.append(item);
    }
    return list;
  }
}

function code(text: string): HTMLElement {
  const element = document.createElement('code');
  element.textContent = text;
  return element;
}

function propertiesIn(json: string): Properties | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(source: string, properties: Properties): string {
  try {
    return JSON.stringify(evaluate(source, properties)) ?? 'undefined';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
