import { createElement } from '../shared/dom.ts';
import { ExpressionField } from './fields/expression-field.ts';
import type { FieldControl } from './fields/field-control.ts';
import { PlainField } from './fields/plain-field.ts';
import { createSchemaOfNames, type KnownNames } from './known-names.ts';
import type { Field } from './queries.ts';
import { type ConsoleState, getFields } from './state.ts';

type OnChange = (name: string, text: string) => void;

/** The form with the fields of the current query. */
export class QueryForm {
  /** Created when first needed. Queries share identical fields. */
  private readonly controls = new Map<Field, FieldControl>();
  private fields: readonly (readonly [name: string, field: Field])[] = [];
  private readonly place = createElement('div', { class: 'fields' });
  private readonly lists = {
    events: createElement('datalist', { id: 'known-events' }),
    properties: createElement('datalist', { id: 'known-properties' }),
  };

  constructor(
    form: HTMLElement,
    private readonly onChange: OnChange,
  ) {
    form.prepend(this.place, this.lists.events, this.lists.properties);
  }

  /** Shows the fields of a query with their values. */
  show(state: ConsoleState): void {
    this.fields = getFields(state);
    const controls = this.fields.map(([name, field]) => {
      const control = this.controls.get(field) ?? this.createControl(name, field);
      const text = state.texts[name] ?? '';
      if (control.text !== text) control.text = text;
      return control;
    });
    this.place.replaceChildren(...controls.map(({ root }) => root));
  }

  /** Offers known names in all fields, and tells the editors the properties of the chosen events. */
  async suggest(names: KnownNames): Promise<void> {
    await Promise.all(this.fields.map(([, field]) => this.suggestFor(field, names)));
  }

  /** Shows an error beside its field. Returns false if it is about no field. */
  showError(message: string): boolean {
    const wrong = this.findField(message);
    for (const [name, field] of this.fields) this.controls.get(field)?.showError(name === wrong ? message : '');
    return wrong !== undefined;
  }

  private createControl(name: string, field: Field): FieldControl {
    const onChange = (text: string) => this.onChange(name, text);
    const control =
      field.kind === 'expression' ? new ExpressionField(name, field, onChange) : new PlainField(name, field, onChange);
    this.controls.set(field, control);
    return control;
  }

  private async suggestFor(field: Field, names: KnownNames): Promise<void> {
    const control = this.controls.get(field);
    if (field.kind === 'text') {
      const known = field.suggest === 'events' ? names.listEvents() : this.listProperties(names, 'event');
      this.lists[field.suggest].replaceChildren(...(await known).map((value) => createElement('option', { value })));
    } else if (field.kind === 'funnel' && control instanceof PlainField) {
      const funnels = await names.listFunnels();
      control.offer(funnels.map(({ funnel_id, name }) => [String(funnel_id), name]));
    } else if (control instanceof ExpressionField && field.kind === 'expression') {
      const event = this.getText(field.event);
      const known = await this.listProperties(names, field.event);
      if (this.getText(field.event) === event) control.setSchema(createSchemaOfNames(known));
    }
  }

  private async listProperties(names: KnownNames, parameter: string): Promise<readonly string[]> {
    const event = this.getText(parameter);
    return event === '' ? [] : names.listProperties(event);
  }

  private getText(parameter: string): string {
    const [, field] = this.fields.find(([name]) => name === parameter) ?? [];
    return (field && this.controls.get(field)?.text.trim()) ?? '';
  }

  /** Returns the parameter that an error message of the server is about. */
  private findField(message: string): string | undefined {
    const [, named] =
      /^(?:Missing required parameter|Invalid parameter|Invalid JSON Format): (\w+)/.exec(message) ?? [];
    if (named !== undefined) return this.fields.find(([name]) => name === named)?.[0];
    if (message.startsWith('Invalid date range')) return 'to_date';
    const [, part] = /^Query Error in (selector|action)/.exec(message) ?? [];
    const candidates = this.fields.filter(([name, field]) => {
      return (
        field.kind === 'expression' && (field.use === 'where') === (part === 'selector') && this.getText(name) !== ''
      );
    });
    const wrong = candidates.find(([, field]) => (this.controls.get(field) as ExpressionField).hasError);
    return part && (wrong ?? candidates[0])?.[0];
  }
}
