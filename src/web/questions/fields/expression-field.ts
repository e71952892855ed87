import { findProperties } from '../../../editor/cursor-context.ts';
import '../../../editor/element/index.ts';
import { createElement } from '../../../editor/dom.ts';
import type { FilterElement } from '../../../editor/element/filter-element.ts';
import type { Property } from '../../../lang/ast.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import { tokenize } from '../../../lang/syntax/lexer.ts';
import type { Field } from '../queries.ts';
import type { FieldControl } from './field-control.ts';
import { FieldError } from './field-error.ts';

/** A field for an expression, with diagnostics as you type and, for filters, rows of conditions. */
export class ExpressionField implements FieldControl {
  readonly root: HTMLElement;
  private readonly filter: FilterElement;
  private readonly error: FieldError;

  constructor(name: string, { label, hint, use }: Field & { kind: 'expression' }, onChange: (value: string) => void) {
    const attributes = { label, use, placeholder: hint ?? '' };
    this.filter = createElement('onwhere-filter', attributes);
    this.filter.addEventListener('input', () => {
      this.setError('');
      onChange(this.value);
    });
    this.error = new FieldError(`error-${name}`, this.filter);
    const heading = createElement('h3', {}, label, ' ', createElement('code', {}, name));
    this.root = createElement('div', { class: 'expression' }, heading, this.filter, this.error.root);
  }

  get value(): string {
    return this.filter.value;
  }

  set value(value: string) {
    this.filter.value = value;
  }

  /** Sets the schema that expressions are checked against. */
  setSchema(schema: Schema): void {
    // The same names and values come again with each word that is typed.
    if (JSON.stringify(schema) !== JSON.stringify(this.filter.schema)) this.filter.schema = schema;
  }

  /** The properties that the text reads, which need not be an expression yet. */
  get reads(): readonly Property[] {
    return findProperties(tokenize(this.value).tokens);
  }

  focusInvalid(): boolean {
    if (this.filter.result.ok) return false;
    this.filter.focus();
    return true;
  }

  setError(message: string): void {
    this.error.set(message);
  }
}
