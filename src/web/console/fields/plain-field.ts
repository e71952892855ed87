import { unreachable } from '../../../lang/util/unreachable.ts';
import { createElement } from '../../shared/dom.ts';
import type { Field } from '../queries.ts';
import { Complaint } from './complaint.ts';
import type { FieldControl } from './field-control.ts';

type PlainKind = Exclude<Field, { kind: 'expression' }>;

/** A field of any kind but an expression. */
export class PlainField implements FieldControl {
  readonly root: HTMLElement;
  private readonly input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  private readonly complaint: Complaint;

  constructor(name: string, field: PlainKind, changed: (text: string) => void) {
    this.input = inputOf(field);
    this.input.id = `field-${name}`;
    this.complaint = new Complaint(`complaint-${name}`, this.input);
    this.root = createElement(
      'div',
      { class: 'field', 'data-kind': field.kind },
      createElement('label', { for: this.input.id }, field.label),
      this.input,
      this.complaint.root,
    );
    this.input.addEventListener('input', () => {
      this.complain('');
      changed(this.text);
    });
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    const { input } = this;
    // A choice that is not there yet, or never, is still what was chosen.
    if (input instanceof HTMLSelectElement && text !== '' && ![...input.options].some(({ value }) => value === text))
      input.append(createElement('option', { value: text }, text));
    input.value = text;
    if (input instanceof HTMLSelectElement && input.selectedIndex === -1) input.selectedIndex = 0;
  }

  /** Sets what there is to choose from. */
  offer(choices: readonly (readonly [value: string, title: string])[]): void {
    const { text } = this;
    this.input.replaceChildren(...choices.map(([value, title]) => createElement('option', { value }, title)));
    this.text = text;
  }

  complain(message: string): void {
    this.complaint.set(message);
  }
}

function inputOf(field: PlainKind): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
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
      const most = field.most === undefined ? {} : { max: String(field.most) };
      return createElement('input', { type: 'number', min: String(field.least), ...most, placeholder });
    }
    case 'choice':
      return createElement(
        'select',
        {},
        ...field.choices.map((choice) => createElement('option', { value: choice }, choice || placeholder)),
      );
    case 'funnel':
      return createElement('select', {}, createElement('option', { value: '' }, '–'));
    default:
      return unreachable(field);
  }
}
