import { type CheckOptions, check } from '../../../api/expressions.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { Editor } from '../../shared/editor.ts';
import { showFindings } from '../../shared/show-findings.ts';
import type { Field } from '../queries.ts';
import type { FieldControl } from './field-control.ts';
import { FieldError } from './field-error.ts';

/** An editor for an expression, with diagnostics as you type. */
export class ExpressionField implements FieldControl {
  readonly root: HTMLElement;
  private readonly findings = createElement('div', { 'aria-live': 'polite' });
  private readonly error: FieldError;
  private readonly editor: Editor;
  private options: CheckOptions;

  constructor(name: string, { label, use }: Field & { kind: 'expression' }, onChange: (value: string) => void) {
    this.options = { use };
    const container = createElement('div');
    this.editor = new Editor(container, label, '', this.options, (value) => {
      this.setError('');
      this.showFindings();
      onChange(value);
    });
    this.error = new FieldError(`error-${name}`, container.querySelector('.cm-content') ?? container);
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
      container,
      this.error.root,
      this.findings,
    );
  }

  get value(): string {
    return this.editor.text;
  }

  set value(value: string) {
    this.editor.text = value;
  }

  /** Sets the schema that expressions are checked against. */
  setSchema(schema: Schema | undefined): void {
    this.options = { ...(this.options.use && { use: this.options.use }), ...(schema && { schema }) };
    this.editor.options = this.options;
    this.showFindings();
  }

  /** Whether the expression has an error that the check finds. */
  get isInvalid(): boolean {
    return this.value.trim() !== '' && !check(this.value, this.options).ok;
  }

  focus(): void {
    this.editor.focus();
  }

  setError(message: string): void {
    this.error.set(message);
  }

  private showFindings(): void {
    if (this.value.trim() === '') this.findings.replaceChildren();
    else showFindings(this.findings, this.editor, check(this.value, this.options));
  }
}
