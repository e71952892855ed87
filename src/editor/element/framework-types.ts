// biome-ignore-all lint/suspicious/noTsIgnore: a program resolves the modules of its own framework, and not those of others.

import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { FilterElement } from './filter-element.ts';
import type { FilterNote } from './show-findings.ts';

/** The properties of `<onwhere-filter>` in JSX and templates, besides those of every element. */
export interface FilterAttributes {
  value?: string | undefined;
  /** The value of a new field, and the one that a reset of its form restores. */
  defaultValue?: string | undefined;
  name?: string | undefined;
  /** The id of the form, where the field is not inside it. */
  form?: string | undefined;
  /** The label above the field. */
  label?: string | undefined;
  placeholder?: string | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Whether the rows of conditions are shown. */
  rows?: boolean | undefined;
  /** The use of the expression: `where` for a filter, which is the default, or `on`, `number` or `value`. */
  use?: Use | undefined;
  /** The IANA name of the time zone of dates without one. */
  timeZone?: string | undefined;
  'time-zone'?: string | undefined;
  /** The known properties, for completion, checks and rows. */
  schema?: Schema | undefined;
  /** Findings of your own. */
  notes?: readonly FilterNote[] | undefined;
}

/** @ts-ignore */
type VueProps = import('vue').HTMLAttributes & import('vue').PublicProps;

/** An event of the element, as templates of Vue see it. */
interface FilterEvent extends Event {
  readonly target: FilterElement;
  readonly currentTarget: FilterElement;
}

/** The properties of the element in templates of Vue. */
interface VueAttributes extends FilterAttributes, Omit<VueProps, 'onInput' | 'onChange'> {
  modelValue?: string | undefined;
  'onUpdate:modelValue'?: ((value: string) => void) | undefined;
  onInput?: ((event: FilterEvent) => void) | undefined;
  onChange?: ((event: FilterEvent) => void) | undefined;
}

/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** @ts-ignore */
      'onwhere-filter': DetailedHTMLProps<HTMLAttributes<FilterElement>, FilterElement> & FilterAttributes;
    }
  }
}

/** @ts-ignore */
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    /** @ts-ignore */
    'onwhere-filter': HTMLAttributes<FilterElement> & FilterAttributes;
  }
}

/** @ts-ignore */
declare module 'vue' {
  interface GlobalComponents {
    /** @ts-ignore */
    'onwhere-filter': new () => FilterElement & { $props: VueAttributes };
  }
}
