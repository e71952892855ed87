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

/** What the page's Content-Security-Policy lets the styles of the editor in by, where it asks for that. */
const NONCE = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** An editor of one expression. */
export class Editor {
  private readonly view: EditorView;
  private readonly support = new Compartment();
  private readonly ground = new Compartment();

  constructor(
    parent: HTMLElement,
    label: string,
    text: string,
    options: OnwhereOptions,
    changed: (text: string) => void,
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
        this.support.of(onwhere(options)),
        this.ground.of(ground()),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) changed(this.text);
        }),
      ],
    });
    DARK.addEventListener('change', () => this.view.dispatch({ effects: this.ground.reconfigure(ground()) }));
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text !== this.text) this.replace({ start: 0, end: this.view.state.doc.length }, text);
  }

  /** What the expression is for, and what is known of the properties. */
  set options(options: OnwhereOptions) {
    this.view.dispatch({ effects: this.support.reconfigure(onwhere(options)) });
  }

  /** Puts a text in the place of a span. */
  replace({ start, end }: Span, text: string): void {
    this.view.dispatch({ changes: { from: start, to: end, insert: text } });
  }

  /** Goes to a span. */
  select({ start, end }: Span): void {
    this.view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true });
    this.view.focus();
  }

  /** Writes the expression in its canonical form. */
  format(): void {
    formatCommand(this.view);
    this.view.focus();
  }
}

function ground(): Extension {
  return EditorView.darkTheme.of(DARK.matches);
}
