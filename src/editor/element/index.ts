/**
 * Defines the element `<onwhere-filter>`: a field for an expression, as text and as rows of conditions.
 *
 * @module onwhere/element
 */

import { FilterElement } from './filter-element.ts';
import { reflectFlags, reflectStrings } from './reflect-attributes.ts';

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
  reflectStrings(prototype, { name: '', label: 'Filter', placeholder: '', use: 'where', timeZone: 'UTC' });
  reflectFlags(prototype, ['required', 'disabled', 'rows']);
  globalThis.customElements?.define('onwhere-filter', FilterElement);
}
