import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FilterElement } from '../../editor/element/index.ts';
import type { FilterNote } from '../../editor/element/show-findings.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { takeFocus } from './take-focus.ts';

/** The properties, time zone and findings that editors take into account. */
export interface EditorContext {
  readonly schema?: Schema | undefined;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string | undefined;
  readonly notes?: readonly FilterNote[] | undefined;
}

interface FilterFieldProps extends EditorContext {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly use?: Use;
  readonly placeholder?: string;
  /** Whether the rows of conditions are shown. */
  readonly hasRows?: boolean;
}

const NO_NOTES: readonly FilterNote[] = [];

/** The element `<onwhere-filter>` as a component. Its code is loaded with the first one. */
export function FilterField(props: FilterFieldProps) {
  const { label, value, onInput, use = 'where', placeholder = '', schema, timeZone = 'UTC', notes = NO_NOTES } = props;
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<FilterElement | undefined>(undefined);
  const listener = useRef(onInput);
  listener.current = onInput;
  useLayoutEffect(() => {
    const created = document.createElement('onwhere-filter');
    field.current = created;
    created.addEventListener('input', () => listener.current(created.value));
    created.rows = props.hasRows === true;
    place.current?.append(created);
    import('../../editor/element/index.ts').then(
      () => takeFocus(created, created),
      () => created.replaceChildren('The editor could not be loaded. Reload the page.'),
    );
    return () => created.remove();
  }, []);
  useLayoutEffect(() => {
    if (field.current !== undefined) Object.assign(field.current, { label, use, placeholder, timeZone });
  }, [label, use, placeholder, timeZone]);
  useLayoutEffect(() => {
    if (field.current !== undefined) field.current.schema = schema;
  }, [schema]);
  useLayoutEffect(() => {
    if (field.current !== undefined) field.current.notes = notes;
  }, [notes]);
  // An effect after the next frame would bring back a value that someone has typed on from.
  useLayoutEffect(() => {
    if (field.current !== undefined && field.current.value !== value) field.current.value = value;
  }, [value]);
  return <div class="filter-field" ref={place} />;
}
