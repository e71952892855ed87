import type { Span } from '../../lang/source.ts';
import { createElement } from '../dom.ts';
import type { TextEditor } from './text-editor.ts';
import { type Description, type OnEdit, TextArea, type TextField, type TextFieldOptions } from './text-field.ts';

/** A text area that becomes an editor once that is loaded, and stays one where CodeMirror cannot be loaded. */
export class LazyField implements TextField {
  readonly root = createElement('div', { class: 'text', part: 'text' });
  private readonly area: TextArea;
  private editor: TextEditor | undefined;
  private description: Description = { label: '', placeholder: '', required: false };
  private isDisabled = false;
  /** Whether the page is setting the text. That does not count as an edit. */
  private isSetting = false;

  constructor(
    private current: TextFieldOptions,
    private readonly onEdit: OnEdit,
  ) {
    this.area = new TextArea((textChanged) => this.follow(textChanged));
    this.root.append(this.area.root);
  }

  describe(description: Description): void {
    if (JSON.stringify(description) === JSON.stringify(this.description)) return;
    this.description = description;
    this.shown.describe(description);
  }

  /**
   * Loads the editor, and follows the colours of the page.
   *
   * @param signal Aborted once the field is no longer on the page.
   */
  async connect(signal: AbortSignal): Promise<void> {
    if (this.editor === undefined) {
      const loaded = await import('./text-editor.ts').catch(() => undefined);
      if (loaded === undefined || signal.aborted || this.editor !== undefined) return;
      const follow = (textChanged: boolean) => this.follow(textChanged);
      this.replaceArea(new loaded.TextEditor(this.root, this.current, follow));
    }
    const update = () => this.editor?.updateTheme();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update, { signal });
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributes: true });
    signal.addEventListener('abort', () => observer.disconnect());
    update();
  }

  /** Goes back to the text area: an editor listens to the window until it is destroyed. */
  unload(): void {
    const { area, editor } = this;
    if (editor === undefined) return;
    const { text } = editor;
    this.editor = undefined;
    area.text = text;
    area.disabled = this.isDisabled;
    area.describe(this.description);
    editor.root.replaceWith(area.root);
    editor.destroy();
  }

  get text(): string {
    return this.shown.text;
  }

  set text(text: string) {
    this.isSetting = true;
    this.shown.text = text;
    this.isSetting = false;
  }

  get cursor(): number {
    return this.shown.cursor;
  }

  set disabled(disabled: boolean) {
    this.isDisabled = disabled;
    this.shown.disabled = disabled;
  }

  set options(options: TextFieldOptions) {
    this.current = options;
    this.shown.options = options;
  }

  focus(): void {
    this.shown.focus();
  }

  replace(span: Span, text: string): void {
    this.shown.replace(span, text);
  }

  select(span: Span): void {
    this.shown.select(span);
  }

  private get shown(): TextField {
    return this.editor ?? this.area;
  }

  private replaceArea(editor: TextEditor): void {
    const { area } = this;
    const hadFocus = area.root.matches(':focus');
    const { cursor, text } = area;
    this.editor = editor;
    this.text = text;
    editor.disabled = this.isDisabled;
    editor.describe(this.description);
    area.root.replaceWith(editor.root);
    if (hadFocus) editor.select({ start: cursor, end: cursor });
  }

  private follow(textChanged: boolean): void {
    if (!this.isSetting) this.onEdit(textChanged);
  }
}
