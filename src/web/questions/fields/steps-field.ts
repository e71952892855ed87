import { createButton, createElement } from '../../../editor/dom.ts';
import '../../../editor/element/index.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { FilterElement } from '../../../editor/element/filter-element.ts';
import type { Schema } from '../../../lang/check/schema.ts';
import type { FieldControl } from './field-control.ts';
import { FieldError } from './field-error.ts';

/** A step as it is shown: without a filter, `where` is empty. */
interface Step {
  readonly event: string;
  readonly where: string;
}

const NO_STEP: Step = { event: '', where: '' };

/** The controls of a step. */
interface StepControl {
  readonly event: HTMLInputElement;
  readonly filter: FilterElement;
}

/** A field for the steps of a funnel: each an event with a filter. Its value is JSON, and empty without steps. */
export class StepsField implements FieldControl {
  readonly root: HTMLElement;
  private readonly list = createElement('ol', { class: 'steps' });
  private readonly error: FieldError;
  private steps: StepControl[] = [];

  constructor(
    name: string,
    label: string,
    private readonly onChange: (value: string) => void,
  ) {
    const add = createButton({ class: 'link' }, '+ Step', () => {
      this.append(NO_STEP).event.focus();
    });
    this.error = new FieldError(`error-${name}`, this.list);
    const heading = createElement('h3', {}, label);
    this.root = createElement(
      'div',
      { class: 'field', 'data-kind': 'steps' },
      heading,
      this.list,
      add,
      this.error.root,
    );
    this.value = '';
  }

  get value(): string {
    const steps = this.steps.flatMap(({ event, filter }) => {
      const [name, where] = [event.value.trim(), filter.value.trim()];
      return name === '' ? [] : [where === '' ? { event: name } : { event: name, where }];
    });
    return steps.length === 0 ? '' : JSON.stringify(steps);
  }

  set value(json: string) {
    const steps = parseSteps(json);
    this.show(steps.length > 0 ? steps : [NO_STEP, NO_STEP]);
  }

  /** The names of the events. */
  get events(): readonly string[] {
    return this.steps.map(({ event }) => event.value.trim());
  }

  /** Sets the schema of the filter of each step. */
  setSchemas(schemas: readonly Schema[]): void {
    for (const [index, { filter }] of this.steps.entries()) filter.schema = schemas[index];
  }

  setError(message: string): void {
    this.error.set(message);
  }

  focusInvalid(): boolean {
    if (this.root.hidden) return false;
    const wrong = this.steps.find(({ filter }) => !filter.result.ok);
    if (wrong !== undefined) wrong.filter.focus();
    else if (this.value === '') {
      this.setError('Name the event of a step.');
      this.steps[0]?.event.focus();
    } else return false;
    return true;
  }

  private append({ event: name, where }: Step): StepControl {
    const number = this.steps.length + 1;
    const event = createElement('input', {
      'aria-label': `Event of step ${number}`,
      list: 'known-events',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    event.value = name;
    const filter = createElement('onwhere-filter', { use: 'where', label: `Filter of step ${number}` });
    filter.value = where;
    const details = createElement('details', {}, createElement('summary', {}, 'Filter'), filter);
    details.open = where !== '';
    const remove = createButton({ class: 'quiet', 'aria-label': `Remove step ${number}` }, '×', () => {
      this.remove(number - 1);
    });
    for (const control of [event, filter]) {
      control.addEventListener('input', () => {
        this.setError('');
        this.onChange(this.value);
      });
    }
    const step: StepControl = { event, filter };
    this.steps.push(step);
    this.list.append(createElement('li', {}, event, remove, details));
    return step;
  }

  /** Removes a step and numbers the others anew. */
  private remove(index: number): void {
    this.show(this.steps.map(({ event, filter }) => ({ event: event.value, where: filter.value })).toSpliced(index, 1));
    this.steps[Math.min(index, this.steps.length - 1)]?.event.focus();
    this.onChange(this.value);
  }

  private show(steps: readonly Step[]): void {
    this.steps = [];
    this.list.replaceChildren();
    for (const step of steps.length > 0 ? steps : [NO_STEP]) this.append(step);
  }
}

/** Reads the steps of a link, which anyone may have written. */
function parseSteps(json: string): Step[] {
  try {
    const steps: unknown = JSON.parse(json);
    if (!Array.isArray(steps)) return [];
    return steps.filter(isJsonObject).map(({ event, where }) => {
      return { event: typeof event === 'string' ? event : '', where: typeof where === 'string' ? where : '' };
    });
  } catch {
    return [];
  }
}
