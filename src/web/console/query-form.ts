import { createElement } from '../../editor/dom.ts';
import { ExpressionField } from './fields/expression-field.ts';
import type { FieldControl } from './fields/field-control.ts';
import { PlainField } from './fields/plain-field.ts';
import type { KnownNames } from './known-names.ts';
import type { Field } from './queries.ts';
import { type ConsoleState, getFields, getFieldValue } from './state.ts';

type OnChange = (field: Field, value: string) => void;

/** The form with the fields of the current query. */
export class QueryForm {
  /** Created on first use. Queries share the controls of equal fields. */
  private readonly controls = new Map<Field, FieldControl>();
  private fields: readonly (readonly [name: string, field: Field])[] = [];
  private readonly container = createElement('div', { class: 'fields' });
  private readonly lists = {
    events: createElement('datalist', { id: 'known-events' }),
    properties: createElement('datalist', { id: 'known-properties' }),
  };

  constructor(
    form: HTMLElement,
    private readonly onChange: OnChange,
  ) {
    form.prepend(this.container, this.lists.events, this.lists.properties);
  }

  /** Shows the fields of the current query with their values. */
  show(state: ConsoleState): void {
    this.fields = getFields(state);
    const controls = this.fields.map(([name, field]) => {
      const control = this.controls.get(field) ?? this.createControl(name, field);
      const value = getFieldValue(state, field);
      if (control.value !== value) control.value = value;
      return control;
    });
    this.container.replaceChildren(...controls.map(({ root }) => root));
  }

  /** Loads the names that fields suggest, and tells the editors which properties the chosen events have. */
  async loadNames(names: KnownNames): Promise<void> {
    await Promise.all(this.fields.map(([, field]) => this.loadNamesOf(field, names)));
  }

  /** Moves the focus to the first expression with an error, and returns whether there is one. */
  focusInvalid(): boolean {
    for (const [, field] of this.fields) {
      const control = this.controls.get(field);
      if (!(control instanceof ExpressionField && control.isInvalid)) continue;
      control.focus();
      return true;
    }
    return false;
  }

  /**
   * Shows an error next to the field that it is about.
   *
   * @returns Whether there is such a field.
   */
  setError(message: string): boolean {
    const wrong = this.findWrongField(message);
    for (const [name, field] of this.fields) this.controls.get(field)?.setError(name === wrong ? message : '');
    return wrong !== undefined;
  }

  private createControl(name: string, field: Field): FieldControl {
    const onChange = (value: string) => this.onChange(field, value);
    const control =
      field.kind === 'expression' ? new ExpressionField(name, field, onChange) : new PlainField(name, field, onChange);
    this.controls.set(field, control);
    return control;
  }

  private async loadNamesOf(field: Field, names: KnownNames): Promise<void> {
    const control = this.controls.get(field);
    if (field.kind === 'text') {
      const known = field.suggest === 'events' ? names.getEvents() : this.loadProperties(names, 'event');
      this.lists[field.suggest].replaceChildren(...(await known).map((value) => createElement('option', { value })));
    } else if (field.kind === 'funnel' && control instanceof PlainField) {
      const funnels = await names.getFunnels();
      control.setChoices(funnels.map(({ funnel_id, name }) => [String(funnel_id), name]));
    } else if (control instanceof ExpressionField && field.kind === 'expression') {
      const event = this.getValue(field.event);
      const schema = await names.getSchema(event, control.reads);
      if (this.getValue(field.event) === event) control.setSchema(schema);
    }
  }

  private async loadProperties(names: KnownNames, parameter: string): Promise<readonly string[]> {
    const event = this.getValue(parameter);
    return event === '' ? [] : names.getProperties(event);
  }

  private getValue(parameter: string): string {
    const [, field] = this.fields.find(([name]) => name === parameter) ?? [];
    return (field && this.controls.get(field)?.value.trim()) ?? '';
  }

  /** Returns the parameter that an error message of the API is about. */
  private findWrongField(message: string): string | undefined {
    const [, named] =
      /^(?:Missing required parameter|Invalid parameter|Invalid JSON Format): (\w+)/.exec(message) ?? [];
    if (named !== undefined) return this.fields.find(([name]) => name === named)?.[0];
    if (message.startsWith('Invalid date range')) return 'to_date';
    const [, part] = /^Query Error in (selector|action)/.exec(message) ?? [];
    const [first] = this.fields.filter(([name, field]) => {
      return (
        field.kind === 'expression' && (field.use === 'where') === (part === 'selector') && this.getValue(name) !== ''
      );
    });
    return part && first?.[0];
  }
}
