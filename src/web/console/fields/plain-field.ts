import { unreachable } from '../../../lang/util/unreachable.ts';
import { createElement } from '../../shared/dom.ts';
import type { Field } from '../queries.ts';
import type { FieldControl } from './field-control.ts';
import { FieldError } from './field-error.ts';

type PlainKind = Exclude<Field, { kind: 'expression' }>;

/** A field for any parameter that is not an expression. */
export class PlainField implements FieldControl {
  readonly root: HTMLElement;
  private readonly input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  private readonly error: FieldError;

  constructor(name: string, field: PlainKind, onChange: (text: string) => void) {
    this.input = createInput(field);
    this.input.id = `field-${name}`;
    this.error = new FieldError(`error-${name}`, this.input);
    this.root = createElement(
      'div',
      { class: 'field', 'data-kind': field.kind },
      createElement('label', { for: this.input.id }, field.label),
      this.input,
      this.error.root,
    );
    this.input.addEventListener('input', () => {
      this.showError('');
      onChange(this.text);
    });
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    const { input } = this;
    // Keeps a choice that is not in the list, which may not be loaded yet.
    if (input instanceof HTMLSelectElement && text !== '' && ![...input.options].some(({ value }) => value === text))
      input.append(createElement('option', { value: text }, text));
    input.value = text;
    if (input instanceof HTMLSelectElement && input.selectedIndex === -1) input.selectedIndex = 0;
  }

  /** Replaces the choices. */
  offer(choices: readonly (readonly [value: string, title: string])[]): void {
    const { text } = this;
    this.input.replaceChildren(...choices.map(([value, title]) => createElement('option', { value }, title)));
    this.text = text;
  }

  showError(message: string): void {
    this.error.set(message);
  }
}

function createInput(field: PlainKind): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const placeholder = field.hint ?? '';
  switch (field.kind) {
    case 'text':
      return createElement('input', {
        list: `known-${field.suggest}`,
        placeholder,
        autocomplete: 'off',
        spellcheck: 'false',
      });
    case 'list':
      return createElement('textarea', { rows: '3', placeholder, spellcheck: 'false' });
    case 'date':
      return createElement('input', { type: 'date' });
    case 'number': {
      const max = field.max === undefined ? {} : { max: String(field.max) };
      return createElement('input', { type: 'number', min: String(field.min), ...max, placeholder });
    }
    case 'choice':
      return createElement(
        'select',
        {},
        ...Object.entries(field.choices).map(([value, title]) => createElement('option', { value }, title)),
      );
    case 'funnel':
      return createElement('select', {}, createElement('option', { value: '' }, '–'));
    default:
      return unreachable(field);
  }
}
