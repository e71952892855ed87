import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { type OnwhereOptions, onwhere } from '../../../src/editor/codemirror/index.ts';

/** What a test asks of an editor. */
export interface Wish extends OnwhereOptions {
  readonly doc?: string;
  readonly isDark?: boolean;
  /** Whether the editor has a highlighting style of its own. */
  readonly isStyled?: boolean;
}

const language = new Compartment();
const style = (is: boolean, extension: Extension): Extension => (is ? extension : []);

let shown: EditorView | undefined;

/** An editor as a page would have it, in place of the one before; the test finds it as `editor`. */
function mount({ doc = '', isDark = false, isStyled = false, ...options }: Wish): void {
  shown?.destroy();
  const view = new EditorView({
    parent: document.body,
    doc,
    selection: { anchor: doc.length },
    extensions: [
      language.of(onwhere(options)),
      autocompletion(),
      closeBrackets(),
      bracketMatching(),
      history(),
      keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
      style(isStyled, syntaxHighlighting(classHighlighter)),
      EditorView.theme({}, { dark: isDark }),
    ],
  });
  view.focus();
  Object.assign(window, {
    editor: view,
    reconfigure: (changed: OnwhereOptions) => view.dispatch({ effects: language.reconfigure(onwhere(changed)) }),
  });
  shown = view;
}

Object.assign(window, { mount });
