import { unreachable } from '../../../base/unreachable.ts';
import { createElement } from '../../../editor/dom.ts';
import type { Field } from '../queries.ts';
import type { FieldControl } from './field-control.ts';
import { FieldError } from './field-error.ts';

type PlainKind = Exclude<Field, { kind: 'expression' | 'steps' }>;

/** The label of the choice of own steps. */
export const OWN_LABEL = 'the steps below';

/** The control of a field of any kind except expressions and steps. */
export class PlainField implements FieldControl {
  readonly root: HTMLElement;
  private readonly input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  private readonly error: FieldError;

  constructor(
    name: string,
    field: PlainKind,
    private readonly onChange: (value: string) => void,
  ) {
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
      this.setError('');
      onChange(this.value);
    });
  }

  get value(): string {
    return this.input.value;
  }

  set value(value: string) {
    const { input } = this;
    // Keeps a value that is not among the choices (yet).
    if (
      input instanceof HTMLSelectElement &&
      value !== '' &&
      ![...input.options].some((option) => option.value === value)
    )
      input.append(createElement('option', { value }, value));
    input.value = value;
    if (input instanceof HTMLSelectElement && input.selectedIndex === -1) input.selectedIndex = 0;
  }

  /** Sets the choices of a select. Chooses the first, unless one is chosen already. */
  setChoices(choices: readonly (readonly [value: string, label: string])[]): void {
    const selected = this.value;
    this.input.replaceChildren(...choices.map(([value, label]) => createElement('option', { value }, label)));
    this.value = selected;
    if (this.value !== selected) this.onChange(this.value);
  }

  setError(message: string): void {
    this.error.set(message);
  }

  focusInvalid(): boolean {
    return false;
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
        ...Object.entries(field.choices).map(([value, label]) =>
          createElement('option', { value }, label || placeholder),
        ),
      );
    case 'funnel':
      return createElement('select', {}, createElement('option', { value: '' }, OWN_LABEL));
    default:
      return unreachable(field);
  }
}
