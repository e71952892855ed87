/**
 * Defines the element `<onwhere-filter>`: a field for an expression, as text and as rows of conditions.
 *
 * @module onwhere/element
 */

import { USES, type Use } from '../../lang/check/check.ts';
import { FilterElement } from './filter-element.ts';
import { reflectFlag, reflectString } from './reflect-attributes.ts';

export type { FilterAttributes } from './framework-types.ts';
export type { FilterNote } from './show-findings.ts';

declare global {
  interface HTMLElementTagNameMap {
    'onwhere-filter': FilterElement;
  }
}

export { FilterElement };

// On servers, which only render pages, there are no elements.
if (globalThis.customElements?.get('onwhere-filter') === undefined) {
  const { prototype } = FilterElement;
  for (const name of ['name', 'label', 'placeholder']) reflectString(prototype, name);
  reflectString(prototype, 'defaultValue', 'value');
  reflectString(prototype, 'timeZone', 'time-zone', (value) => value ?? 'UTC');
  reflectString(prototype, 'use', 'use', (value) => (USES.includes(value as Use) ? (value as Use) : 'where'));
  for (const name of ['required', 'disabled', 'rows']) reflectFlag(prototype, name);
  globalThis.customElements?.define('onwhere-filter', FilterElement);
}
