import { type CheckOptions, check } from '../../../api/expressions.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { Editor } from '../../shared/editor.ts';
import { showFindings } from '../../shared/show-findings.ts';
import type { Field } from '../queries.ts';
import type { FieldControl } from './field-control.ts';
import { FieldError } from './field-error.ts';

/** An editor for an expression, which checks it as you type. */
export class ExpressionField implements FieldControl {
  readonly root: HTMLElement;
  private readonly findings = createElement('div', { 'aria-live': 'polite' });
  private readonly error: FieldError;
  private readonly editor: Editor;
  private options: CheckOptions;

  constructor(name: string, { label, use }: Field & { kind: 'expression' }, onChange: (text: string) => void) {
    this.options = { use };
    const place = createElement('div');
    this.editor = new Editor(place, label, '', this.options, (text) => {
      this.showError('');
      this.check();
      onChange(text);
    });
    this.error = new FieldError(`error-${name}`, place.querySelector('.cm-content') ?? place);
    const format = createButton({ class: 'quiet', 'aria-label': `Format: ${label}` }, 'Format', () =>
      this.editor.format(),
    );
    this.root = createElement(
      'div',
      { class: 'expression' },
      createElement(
        'div',
        { class: 'heading' },
        createElement('h3', {}, label, ' ', createElement('code', {}, name)),
        format,
      ),
      place,
      this.error.root,
      this.findings,
    );
  }

  get text(): string {
    return this.editor.text;
  }

  set text(text: string) {
    this.editor.text = text;
  }

  /** Sets the schema of the properties. */
  setSchema(schema: Schema | undefined): void {
    this.options = { ...(this.options.use && { use: this.options.use }), ...(schema && { schema }) };
    this.editor.options = this.options;
    this.check();
  }

  /** Whether checking the expression finds an error. */
  get hasError(): boolean {
    return !check(this.text, this.options).ok;
  }

  showError(message: string): void {
    this.error.set(message);
  }

  private check(): void {
    if (this.text.trim() === '') this.findings.replaceChildren();
    else showFindings(this.findings, this.editor, check(this.text, this.options));
  }
}
