import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView, keymap, tooltips } from '@codemirror/view';
import { formatCommand } from '../../editor/codemirror/format-command.ts';
import { onwhere } from '../../editor/codemirror/onwhere.ts';
import type { OnwhereOptions } from '../../editor/codemirror/onwhere-options.ts';
import type { Span } from '../../lang/source.ts';

/** The nonce for the styles of the editor, if the Content-Security-Policy of the page requires one. */
const NONCE = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** A CodeMirror editor for one expression. */
export class Editor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly theme = new Compartment();

  constructor(
    parent: HTMLElement,
    label: string,
    text: string,
    options: OnwhereOptions,
    onChange: (text: string) => void,
  ) {
    this.view = new EditorView({
      parent,
      doc: text,
      extensions: [
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.cspNonce.of(NONCE),
        history(),
        closeBrackets(),
        bracketMatching(),
        autocompletion(),
        tooltips({ parent: document.body }),
        this.language.of(onwhere(options)),
        this.theme.of(createTheme()),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) onChange(this.text);
        }),
      ],
    });
    DARK.addEventListener('change', () => this.view.dispatch({ effects: this.theme.reconfigure(createTheme()) }));
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text !== this.text) this.replace({ start: 0, end: this.view.state.doc.length }, text);
  }

  /** The use of the expression and the schema of the properties. */
  set options(options: OnwhereOptions) {
    this.view.dispatch({ effects: this.language.reconfigure(onwhere(options)) });
  }

  /** Replaces a span. */
  replace({ start, end }: Span, text: string): void {
    this.view.dispatch({ changes: { from: start, to: end, insert: text } });
  }

  /** Selects a span and moves the focus to the editor. */
  select({ start, end }: Span): void {
    this.view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  /** Formats the expression. */
  format(): void {
    formatCommand(this.view);
    this.focus();
  }
}

function createTheme(): Extension {
  return EditorView.darkTheme.of(DARK.matches);
}
