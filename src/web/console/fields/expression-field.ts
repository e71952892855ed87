import { type CheckOptions, check } from '../../../api/expressions.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { Editor } from '../../shared/editor.ts';
import { showFindings } from '../../shared/show-findings.ts';
import type { Field } from '../queries.ts';
import { Complaint } from './complaint.ts';
import type { FieldControl } from './field-control.ts';

/** An expression, in an editor that says what is wrong while it is typed. */
export class ExpressionField implements FieldControl {
  readonly root: HTMLElement;
  private readonly findings = createElement('div', { 'aria-live': 'polite' });
  private readonly complaint: Complaint;
  private readonly editor: Editor;
  private options: CheckOptions;

  constructor(name: string, { label, use }: Field & { kind: 'expression' }, changed: (text: string) => void) {
    this.options = { use };
    const place = createElement('div');
    this.editor = new Editor(place, label, '', this.options, (text) => {
      this.complain('');
      this.judge();
      changed(text);
    });
    this.complaint = new Complaint(`complaint-${name}`, place.querySelector('.cm-content') ?? place);
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
      this.complaint.root,
      this.findings,
    );
  }

  get text(): string {
    return this.editor.text;
  }

  set text(text: string) {
    this.editor.text = text;
  }

  /** Sets what is known of the properties. */
  know(schema: Schema | undefined): void {
    this.options = { ...(this.options.use && { use: this.options.use }), ...(schema && { schema }) };
    this.editor.options = this.options;
    this.judge();
  }

  /** Whether there is something that can be told to be wrong without the data. */
  get isWrong(): boolean {
    return !check(this.text, this.options).ok;
  }

  complain(message: string): void {
    this.complaint.set(message);
  }

  private judge(): void {
    if (this.text.trim() === '') this.findings.replaceChildren();
    else showFindings(this.findings, this.editor, check(this.text, this.options));
  }
}
