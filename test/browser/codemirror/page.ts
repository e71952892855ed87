import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { type OnwhereOptions, onwhere } from '../../../src/editor/codemirror/index.ts';

/** The options of an editor in a test. */
export interface MountOptions extends OnwhereOptions {
  readonly doc?: string;
  readonly isDark?: boolean;
  /** Whether the page has its own highlighting style. */
  readonly isStyled?: boolean;
}

const language = new Compartment();
const style = (is: boolean, extension: Extension): Extension => (is ? extension : []);

let shown: EditorView | undefined;

/** Replaces the editor of the page. The test accesses it as `editor`. */
function mount({ doc = '', isDark = false, isStyled = false, ...options }: MountOptions): void {
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
