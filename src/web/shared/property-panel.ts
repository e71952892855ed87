import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import { createButton, createElement } from '../../editor/dom.ts';
import type { FormCondition } from '../../lang/form/form.ts';
import { getById } from './dom.ts';
import { formatShare } from './page-link.ts';
import type { CountedName, CountedValue, PropertyCatalog, PropertyScope } from './property-catalog.ts';
import { createValueCondition } from './segment-condition.ts';

/** How many values of a property are shown. */
const SHOWN_VALUES = 12;

const SCOPES: readonly PropertyScope[] = ['properties', 'user'];

interface PropertyActions {
  /** Adds a condition to the filter. */
  filter(condition: FormCondition): void;
  /** Groups by a property. */
  group(scope: PropertyScope, name: string): void;
}

/** The properties of events and people, with the values of those that are open. A click on a value filters by it. */
export class PropertyPanel {
  private readonly list = createElement('div', { class: 'properties' });
  private readonly search = createElement('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search properties',
  });
  private names: PropertyCatalog | undefined;

  constructor(private readonly actions: PropertyActions) {
    this.search.addEventListener('input', () => this.filterList());
    getById('properties').append(this.search, this.list);
  }

  /** Shows the properties of a project. */
  async show(names: PropertyCatalog): Promise<void> {
    if (this.names === names) return;
    this.names = names;
    const found = await Promise.all(SCOPES.map((scope) => names.getAllProperties(scope)));
    if (this.names !== names) return;
    this.list.replaceChildren(
      ...SCOPES.flatMap((scope, index) =>
        (found[index] ?? []).map((counted, _, all) => {
          // The most frequent one is in all records: its name or its time.
          return this.createProperty(names, scope, counted, all[0]?.count ?? 0);
        }),
      ),
    );
    getById('properties').hidden = this.list.childElementCount === 0;
    this.filterList();
  }

  /** Forgets the properties, after the project has changed. */
  clear(): void {
    this.names = undefined;
    this.list.replaceChildren();
    getById('properties').hidden = true;
  }

  private filterList(): void {
    const wanted = this.search.value.trim().toLowerCase();
    for (const item of this.list.querySelectorAll('details')) {
      item.hidden = !(item.dataset.name ?? '').toLowerCase().includes(wanted);
    }
  }

  private createProperty(
    names: PropertyCatalog,
    scope: PropertyScope,
    { name, count }: CountedName,
    whole: number,
  ): HTMLElement {
    const values = createElement('div', { class: 'values' });
    const summary = createElement(
      'summary',
      {},
      createElement('bdi', {}, escapeUnprintable(name)),
      ...(scope === 'user' ? [createElement('span', { class: 'tag' }, 'user')] : []),
      createElement('span', { class: 'count' }, formatInteger(count)),
      createElement('span', { class: 'share' }, formatShare(count, whole)),
    );
    const item = createElement('details', { 'data-name': escapeUnprintable(name) }, summary, values);
    item.addEventListener('toggle', async () => {
      if (!item.open || values.childElementCount > 0) return;
      values.textContent = 'Loading …';
      const found = await names.getValues(scope, name).catch(() => undefined);
      if (found === undefined) values.textContent = 'The values could not be loaded.';
      else values.replaceChildren(...this.createValues(scope, name, found));
    });
    return item;
  }

  private createValues(scope: PropertyScope, property: string, found: readonly CountedValue[]): HTMLElement[] {
    const types = [...new Set(found.map(({ type }) => type))].join(', ');
    const group = createButton({ class: 'quiet' }, 'Group by', () => this.actions.group(scope, property));
    const head = createElement('p', { class: 'hint' }, `${types || 'no values'} `, group);
    const buttons = found.slice(0, SHOWN_VALUES).map((value) => {
      const label = createElement('bdi', {}, escapeUnprintable(value.value));
      const button = createButton({ class: 'value' }, label, () =>
        this.actions.filter(createValueCondition(scope, property, value)),
      );
      button.append(createElement('span', { class: 'count' }, formatInteger(value.count)));
      return button;
    });
    return [head, ...buttons];
  }
}
