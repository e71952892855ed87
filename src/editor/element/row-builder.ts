import type { FunctionName, LogicalName, Scope } from '../../lang/ast.ts';
import { getPropertySchemas, type Schema } from '../../lang/check/schema.ts';
import type { FormGroup } from '../../lang/form/form.ts';
import { FUNCTIONS } from '../../lang/operators/table.ts';
import { createButton, createElement } from '../dom.ts';
import {
  type ConditionDraft,
  createCondition,
  draftOf,
  formOf,
  type GroupDraft,
  getArity,
  ROW_OPERATORS,
  type RowDraft,
  type RowOperator,
} from './draft.ts';
import { showValueText } from './value-text.ts';

/** How the rows of a group are joined, and whether that is negated. */
const JOINS: Readonly<Record<string, readonly [LogicalName, negated: boolean]>> = {
  'all of': ['and', false],
  'any of': ['or', false],
  'none of': ['or', true],
  'not all of': ['and', true],
};

const SCOPES: Readonly<Partial<Record<Scope, string>>> = { properties: 'Event', user: 'User' };

/** Rows of conditions that edit a filter. */
export class RowBuilder {
  readonly root = createElement('div', { class: 'rows', part: 'rows', role: 'group', 'aria-label': 'Conditions' });
  private draft: GroupDraft = { kind: 'group', join: 'and', negated: false, rows: [] };
  private schema: Schema | undefined;
  private isDisabled = false;
  private lists = 0;

  constructor(private readonly onChange: (form: FormGroup) => void) {}

  /** Shows a form. Rows that were not complete are gone. */
  show(form: FormGroup, schema: Schema | undefined): void {
    this.schema = schema;
    this.draft = draftOf(form, schema);
    this.render();
  }

  /** Disables all controls, while the text is not an expression. */
  set disabled(disabled: boolean) {
    this.isDisabled = disabled;
    for (const control of this.root.querySelectorAll('button, input, select')) disable(control, disabled);
  }

  private render(): void {
    this.lists = 0;
    this.root.replaceChildren(this.createGroup(this.draft));
    this.disabled = this.isDisabled;
  }

  /** Tells the form, after a change of a field. */
  private tell(): void {
    this.onChange(formOf(this.draft, this.schema));
  }

  /** Tells the form and draws all rows, after a change of the rows themselves. */
  private redraw(focus: (root: HTMLElement) => HTMLElement | null | undefined): void {
    this.render();
    focus(this.root)?.focus();
    this.tell();
  }

  private createGroup(group: GroupDraft, remove?: () => void): HTMLElement {
    const join = Object.keys(JOINS).find((label) => {
      const [operator, negated] = JOINS[label] ?? [];
      return operator === group.join && negated === group.negated;
    });
    const choose = createSelect(
      'Match',
      Object.keys(JOINS).map((label) => [label, label]),
      join ?? '',
      (label) => {
        const [operator, negated] = JOINS[label] ?? (['and', false] as const);
        Object.assign(group, { join: operator, negated });
        this.tell();
      },
    );
    const add = (row: RowDraft) => {
      group.rows.push(row);
      this.redraw((root) => [...root.querySelectorAll<HTMLElement>('[data-new]')].at(-1));
    };
    const rows = group.rows.map((row, index) => {
      const removeRow = () => {
        group.rows.splice(index, 1);
        this.redraw((root) => root.querySelector<HTMLElement>('button.add'));
      };
      return createElement('li', {}, this.createRow(row, removeRow));
    });
    const isShort = group.rows.length < 2 && !group.negated;
    return createElement(
      'div',
      { class: 'group' },
      createElement(
        'div',
        { class: 'joint', ...(isShort && remove === undefined && { hidden: '' }) },
        choose,
        ...removeButton('group', remove),
      ),
      createElement('ul', {}, ...rows),
      createElement(
        'div',
        { class: 'adds' },
        createButton({ class: 'add', part: 'button' }, '+ Condition', () => add(createCondition())),
        createButton({ class: 'add', part: 'button' }, '+ Group', () => {
          add({ kind: 'group', join: group.join === 'and' ? 'or' : 'and', negated: false, rows: [createCondition()] });
        }),
      ),
    );
  }

  private createRow(row: RowDraft, remove: () => void): HTMLElement {
    switch (row.kind) {
      case 'group':
        return this.createGroup(row, remove);
      case 'expression':
        return createElement(
          'div',
          { class: 'condition', part: 'row' },
          createElement('code', { title: 'Edit this part in the text' }, row.source),
          ...removeButton('condition', remove),
        );
      case 'condition':
        return this.createCondition(row, remove);
    }
  }

  private createCondition(row: ConditionDraft, remove: () => void): HTMLElement {
    const value = createElement('span', { class: 'value' });
    const scopes = SCOPES[row.scope] === undefined ? { ...SCOPES, [row.scope]: row.scope } : SCOPES;
    const property = this.createProperty(row);
    const scope = createSelect('Of', Object.entries(scopes), row.scope, (chosen) => {
      row.scope = chosen as Scope;
      property.replaceChildren(...this.createProperty(row).childNodes);
      this.tell();
    });
    const functions = Object.keys(FUNCTIONS).map((name) => [name, `${name}(…)`] as const);
    const called = createSelect('Function', [['', 'value'], ...functions], row.function ?? '', (chosen) => {
      row.function = chosen === '' ? undefined : (chosen as FunctionName);
      this.tell();
    });
    const operator = createSelect('Operator', ROW_OPERATORS, row.operator, (chosen) => {
      row.operator = chosen as RowOperator;
      value.replaceChildren(...this.createValue(row));
      this.tell();
    });
    value.replaceChildren(...this.createValue(row));
    const children = [scope, property, called, operator, value, ...removeButton('condition', remove)];
    return createElement('div', { class: 'condition', part: 'row' }, ...children);
  }

  private createProperty(row: ConditionDraft): HTMLElement {
    const known = Object.keys(getPropertySchemas(this.schema, row.scope) ?? {});
    const attributes = {
      'aria-label': 'Property',
      placeholder: 'property',
      ...(row.property === undefined && { 'data-new': '' }),
    };
    return this.createInput(attributes, row.property ?? '', known, (text) => {
      row.property = text;
      this.tell();
    });
  }

  /** Creates the field of the value, if the operator takes one. */
  private createValue(row: ConditionDraft): readonly HTMLElement[] {
    const arity = getArity(row);
    if (arity === 'none') return [];
    const schema = row.property === undefined ? undefined : getPropertySchemas(this.schema, row.scope)?.[row.property];
    const known = arity === 'one' && row.function === undefined ? (schema?.values ?? []) : [];
    const isText = schema?.types.every((type) => type === 'string') ?? false;
    const placeholder = arity === 'many' ? 'value, value' : row.operator.startsWith('time ') ? '2025-06-01' : 'value';
    const options = known.map((value) => showValueText(value, isText));
    return [
      this.createInput({ 'aria-label': 'Value', placeholder }, row.text, options, (text) => {
        row.text = text;
        this.tell();
      }),
    ];
  }

  /** Creates a field that suggests texts. */
  private createInput(
    attributes: Readonly<Record<string, string>>,
    text: string,
    known: readonly string[],
    onInput: (text: string) => void,
  ): HTMLElement {
    const list = createElement('datalist', { id: `list-${this.lists++}` });
    list.append(...known.map((value) => createElement('option', { value })));
    const field = {
      part: 'control',
      autocomplete: 'off',
      spellcheck: 'false',
      ...(known.length > 0 && { list: list.id }),
    };
    const input = createElement('input', { ...attributes, ...field });
    input.value = text;
    input.addEventListener('input', () => onInput(input.value));
    return createElement('span', { class: 'field' }, input, list);
  }
}

function createSelect(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  value: string,
  onChoose: (value: string) => void,
): HTMLSelectElement {
  const select = createElement('select', { part: 'control', 'aria-label': label });
  select.append(...options.map(([value, label]) => createElement('option', { value }, label)));
  select.value = value;
  select.addEventListener('change', () => onChoose(select.value));
  return select;
}

function removeButton(what: string, remove: (() => void) | undefined): readonly HTMLElement[] {
  if (remove === undefined) return [];
  return [createButton({ class: 'remove', part: 'button', 'aria-label': `Remove ${what}` }, '×', remove)];
}

function disable(control: Element, disabled: boolean): void {
  control.toggleAttribute('disabled', disabled);
}
