import { unreachable } from '../../util/unreachable.ts';
import { element } from '../../web/dom.ts';
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
    this.root = element(
      'div',
      { class: 'field', 'data-kind': field.kind },
      element('label', { for: this.input.id }, field.label),
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
      input.append(element('option', { value: text }, text));
    input.value = text;
    if (input instanceof HTMLSelectElement && input.selectedIndex === -1) input.selectedIndex = 0;
  }

  /** Sets what there is to choose from. */
  offer(choices: readonly (readonly [value: string, title: string])[]): void {
    const { text } = this;
    this.input.replaceChildren(...choices.map(([value, title]) => element('option', { value }, title)));
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
      return element('input', {
        list: `known-${field.suggest}`,
        placeholder,
        autocomplete: 'off',
        spellcheck: 'false',
      });
    case 'list':
      return element('textarea', { rows: '3', placeholder, spellcheck: 'false' });
    case 'date':
      return element('input', { type: 'date' });
    case 'number': {
      const most = field.most === undefined ? {} : { max: String(field.most) };
      return element('input', { type: 'number', min: String(field.least), ...most, placeholder });
    }
    case 'choice':
      return element(
        'select',
        {},
        ...field.choices.map((choice) => element('option', { value: choice }, choice || placeholder)),
      );
    case 'funnel':
      return element('select', {}, element('option', { value: '' }, '–'));
    default:
      return unreachable(field);
  }
}
