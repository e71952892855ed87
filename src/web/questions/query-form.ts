import { createElement } from '../../editor/dom.ts';
import { ExpressionField } from './fields/expression-field.ts';
import type { FieldControl } from './fields/field-control.ts';
import { OWN_LABEL, PlainField } from './fields/plain-field.ts';
import { StepsField } from './fields/steps-field.ts';
import type { KnownNames } from './known-names.ts';
import { type Field, listMeasures, OWN_STEPS, type QuestionName } from './queries.ts';
import { getFields, getFieldValue, hasOwnSteps, type QuestionState } from './state.ts';

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

  private readonly measure = createElement('select', { id: 'question-measure' });
  private readonly measures = createElement(
    'div',
    { class: 'field measure' },
    createElement('label', { for: 'question-measure' }, 'Measure'),
    this.measure,
  );

  /** @param onMeasure Shows the query that measures something else. */
  constructor(
    form: HTMLFormElement,
    private readonly onChange: OnChange,
    onMeasure: (query: QuestionName) => void,
  ) {
    form.prepend(this.measures, this.container, this.lists.events, this.lists.properties);
    // Captured before it reaches the editors, which would insert a line break.
    form.addEventListener('keydown', (event) => submitOnCtrlEnter(form, event), { capture: true });
    this.measure.addEventListener('change', () => onMeasure(this.measure.value as QuestionName));
  }

  /** Shows the fields of the current query with their values. */
  show(state: QuestionState): void {
    this.fields = getFields(state);
    const controls = this.fields.map(([name, field]) => {
      const control = this.controls.get(field) ?? this.createControl(name, field);
      const value = getFieldValue(state, field);
      if (control.value !== value) control.value = value;
      return control;
    });
    this.container.replaceChildren(...controls.map(({ root }) => root));
    for (const control of controls) if (control instanceof StepsField) control.root.hidden = !hasOwnSteps(state);
    this.showMeasures(state.query);
  }

  /** Loads the names that fields suggest, and tells the editors which properties the chosen events have. */
  async loadNames(names: KnownNames): Promise<void> {
    await Promise.all(this.fields.map(([, field]) => this.loadNamesOf(field, names)));
  }

  /** Moves the focus to what has to be corrected first, and returns whether there is anything. */
  focusInvalid(): boolean {
    for (const [, field] of this.fields) {
      if (this.controls.get(field)?.focusInvalid()) return true;
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
    const control = createControl(name, field, onChange);
    this.controls.set(field, control);
    return control;
  }

  private showMeasures(query: QuestionName): void {
    const measures = listMeasures(query);
    this.measures.hidden = measures.length === 0;
    this.measure.replaceChildren(...measures.map(([value, label]) => createElement('option', { value }, label)));
    this.measure.value = query;
  }

  private async loadNamesOf(field: Field, names: KnownNames): Promise<void> {
    const control = this.controls.get(field);
    if (field.kind === 'text') {
      const known = field.suggest === 'events' ? names.getEvents() : this.loadProperties(names, 'event');
      this.lists[field.suggest].replaceChildren(...(await known).map((value) => createElement('option', { value })));
    } else if (field.kind === 'funnel' && control instanceof PlainField) {
      const funnels = await names.getFunnels();
      const saved = funnels.map(({ funnel_id, name }) => [String(funnel_id), name] as const);
      control.setChoices([...saved, [OWN_STEPS, OWN_LABEL]]);
    } else if (control instanceof StepsField) {
      control.setSchemas(await Promise.all(control.events.map((event) => names.getSchema(event, []))));
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

function submitOnCtrlEnter(form: HTMLFormElement, event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  form.requestSubmit();
}

function createControl(name: string, field: Field, onChange: (value: string) => void): FieldControl {
  if (field.kind === 'expression') return new ExpressionField(name, field, onChange);
  return field.kind === 'steps' ? new StepsField(name, field.label, onChange) : new PlainField(name, field, onChange);
}
