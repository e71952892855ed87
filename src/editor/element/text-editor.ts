import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import type { Span } from '../../lang/source.ts';
import { onwhere } from '../codemirror/onwhere.ts';
import { createElement } from '../dom.ts';
import type { Description, OnEdit, TextField, TextFieldOptions } from './text-field.ts';

/** A CodeMirror editor for one expression. */
export class TextEditor implements TextField {
  readonly root = createElement('div', { class: 'editor' });
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly theme = new Compartment();
  private readonly editable = new Compartment();
  private readonly description = new Compartment();

  constructor(parent: HTMLElement, options: TextFieldOptions, onEdit: OnEdit) {
    this.view = new EditorView({
      parent: this.root,
      root: parent.getRootNode() as Document | ShadowRoot,
      extensions: [
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        history(),
        closeBrackets(),
        bracketMatching(),
        autocompletion(),
        this.description.of([]),
        this.language.of(onwhere(options)),
        this.theme.of([]),
        this.editable.of([]),
        EditorView.lineWrapping,
        EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
        EditorView.updateListener.of(({ docChanged, selectionSet }) => {
          if (docChanged || selectionSet) onEdit(docChanged);
        }),
      ],
    });
    // A label or a form that focuses the element gets to the first part that can have the focus.
    this.view.scrollDOM.addEventListener('focus', () => this.focus());
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text !== this.text) this.replace({ start: 0, end: this.view.state.doc.length }, text);
  }

  get cursor(): number {
    return this.view.state.selection.main.head;
  }

  set disabled(disabled: boolean) {
    const fixed = [EditorView.editable.of(false), EditorState.readOnly.of(true)];
    this.view.dispatch({ effects: this.editable.reconfigure(disabled ? fixed : []) });
  }

  set options(options: TextFieldOptions) {
    this.view.dispatch({ effects: this.language.reconfigure(onwhere(options)) });
  }

  describe({ label, placeholder: hint, required }: Description): void {
    const attributes = { 'aria-label': label, 'aria-required': String(required) };
    const extensions = [EditorView.contentAttributes.of(attributes), placeholder(hint)];
    this.view.dispatch({ effects: this.description.reconfigure(extensions) });
  }

  focus(): void {
    this.view.focus();
  }

  replace({ start, end }: Span, text: string): void {
    this.view.dispatch({ changes: { from: start, to: end, insert: text } });
  }

  select({ start, end }: Span): void {
    this.view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true });
    this.view.focus();
  }

  /** Releases what the editor holds of the page. */
  destroy(): void {
    this.view.destroy();
  }

  /** Takes over the colours of the page. */
  updateTheme(): void {
    this.view.dispatch({ effects: this.theme.reconfigure(themeOf(this.root)) });
  }
}

/**
 * Types over a selection. Chromium would write the colour of the replaced text into an inline style, which the policy of
 * a page may forbid.
 */
function typeOverSelection({ inputType, data, isComposing }: InputEvent, view: EditorView): boolean {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false;
  const insert = () => state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}

/** Returns the theme of the `color-scheme` of an element, or of the system if it allows both. */
function themeOf(element: Element): Extension {
  const schemes = getComputedStyle(element).colorScheme.split(' ');
  const isDark =
    schemes.includes('dark') && (!schemes.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches);
  return EditorView.darkTheme.of(isDark);
}
