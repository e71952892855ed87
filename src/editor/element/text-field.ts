import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { Span } from '../../lang/source.ts';
import { createElement } from '../dom.ts';

export interface TextFieldOptions {
  readonly use: Use;
  readonly schema?: Schema;
  readonly timeZone?: string;
}

/** The name of a field for screen readers, its placeholder, and whether it may be empty. */
export interface Description {
  readonly label: string;
  readonly placeholder: string;
  readonly required: boolean;
}

/** The text of an expression on a page, to be edited. */
export interface TextField {
  readonly root: HTMLElement;
  text: string;
  /** The offset of the cursor. */
  readonly cursor: number;
  set disabled(disabled: boolean);
  set options(options: TextFieldOptions);
  describe(description: Description): void;
  focus(): void;
  /** Replaces a span. */
  replace(span: Span, text: string): void;
  /** Selects a span and moves the focus to the text. */
  select(span: Span): void;
}

/** Called when someone has changed the text, or only the cursor. */
export type OnEdit = (textChanged: boolean) => void;

/** A text area, until the editor is loaded, and where it cannot be. */
export class TextArea implements TextField {
  readonly root = createElement('textarea', {
    rows: '2',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
  });
  /** A text area only shows text. */
  options: TextFieldOptions = { use: 'where' };

  constructor(private readonly onEdit: OnEdit) {
    this.root.addEventListener('input', () => onEdit(true));
    for (const event of ['keyup', 'click']) this.root.addEventListener(event, () => onEdit(false));
  }

  describe({ label, placeholder, required }: Description): void {
    this.root.setAttribute('aria-label', label);
    this.root.setAttribute('aria-required', String(required));
    this.root.placeholder = placeholder;
  }

  get text(): string {
    return this.root.value;
  }

  set text(text: string) {
    this.root.value = text;
  }

  get cursor(): number {
    return this.root.selectionEnd;
  }

  set disabled(disabled: boolean) {
    this.root.disabled = disabled;
  }

  focus(): void {
    this.root.focus();
  }

  replace({ start, end }: Span, text: string): void {
    this.root.setRangeText(text, start, end, 'end');
    this.onEdit(true);
  }

  select({ start, end }: Span): void {
    this.root.focus();
    this.root.setSelectionRange(start, end);
  }
}
