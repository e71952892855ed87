import { createElement } from '../shared/dom.ts';
import { ExpressionField } from './fields/expression-field.ts';
import type { FieldControl } from './fields/field-control.ts';
import { PlainField } from './fields/plain-field.ts';
import { createSchemaOfNames, type KnownNames } from './known-names.ts';
import type { Field } from './queries.ts';
import { type ConsoleState, getFields } from './state.ts';

type Changed = (name: string, text: string) => void;

/** The fields of the query that is asked. */
export class QueryForm {
  /** Made when they are first needed. Queries share the fields that are the same. */
  private readonly controls = new Map<Field, FieldControl>();
  private fields: readonly (readonly [name: string, field: Field])[] = [];
  private readonly place = createElement('div', { class: 'fields' });
  private readonly lists = {
    events: createElement('datalist', { id: 'known-events' }),
    properties: createElement('datalist', { id: 'known-properties' }),
  };

  constructor(
    form: HTMLElement,
    private readonly changed: Changed,
  ) {
    form.prepend(this.place, this.lists.events, this.lists.properties);
  }

  /** Shows the fields of a query, and what is set in them. */
  show(state: ConsoleState): void {
    this.fields = getFields(state);
    const controls = this.fields.map(([name, field]) => {
      const control = this.controls.get(field) ?? this.control(name, field);
      const text = state.texts[name] ?? '';
      if (control.text !== text) control.text = text;
      return control;
    });
    this.place.replaceChildren(...controls.map(({ root }) => root));
  }

  /** Offers the names that fields suggest, and has the editors know the properties of the events that are chosen. */
  async learn(names: KnownNames): Promise<void> {
    await Promise.all(this.fields.map(([, field]) => this.learnFor(field, names)));
  }

  /** Says beside its field what is wrong; false where the error is about none. */
  complain(message: string): boolean {
    const place = this.placeOf(message);
    for (const [name, field] of this.fields) this.controls.get(field)?.complain(name === place ? message : '');
    return place !== undefined;
  }

  private control(name: string, field: Field): FieldControl {
    const changed = (text: string) => this.changed(name, text);
    const made =
      field.kind === 'expression' ? new ExpressionField(name, field, changed) : new PlainField(name, field, changed);
    this.controls.set(field, made);
    return made;
  }

  private async learnFor(field: Field, names: KnownNames): Promise<void> {
    const control = this.controls.get(field);
    if (field.kind === 'text') {
      const known = field.suggest === 'events' ? names.events() : this.properties(names, 'event');
      this.lists[field.suggest].replaceChildren(...(await known).map((value) => createElement('option', { value })));
    } else if (field.kind === 'funnel' && control instanceof PlainField) {
      const funnels = await names.funnels();
      control.offer(funnels.map(({ funnel_id, name }) => [String(funnel_id), name]));
    } else if (control instanceof ExpressionField && field.kind === 'expression') {
      const event = this.textOf(field.event);
      const known = await this.properties(names, field.event);
      if (this.textOf(field.event) === event) control.know(createSchemaOfNames(known));
    }
  }

  private async properties(names: KnownNames, parameter: string): Promise<readonly string[]> {
    const event = this.textOf(parameter);
    return event === '' ? [] : names.properties(event);
  }

  private textOf(parameter: string): string {
    const [, field] = this.fields.find(([name]) => name === parameter) ?? [];
    return (field && this.controls.get(field)?.text.trim()) ?? '';
  }

  /** The parameter that a published message is about. */
  private placeOf(message: string): string | undefined {
    const [, named] =
      /^(?:Missing required parameter|Invalid parameter|Invalid JSON Format): (\w+)/.exec(message) ?? [];
    if (named !== undefined) return this.fields.find(([name]) => name === named)?.[0];
    if (message.startsWith('Invalid date range')) return 'to_date';
    const [, part] = /^Query Error in (selector|action)/.exec(message) ?? [];
    const blamed = this.fields.filter(([name, field]) => {
      return (
        field.kind === 'expression' && (field.use === 'where') === (part === 'selector') && this.textOf(name) !== ''
      );
    });
    const wrong = blamed.find(([, field]) => (this.controls.get(field) as ExpressionField).isWrong);
    return part && (wrong ?? blamed[0])?.[0];
  }
}
