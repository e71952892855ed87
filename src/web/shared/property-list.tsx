import { useEffect, useRef, useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { FormCondition } from '../../lang/form/form.ts';
import { catchApiError } from './catch-api-error.ts';
import { Icon } from './icons.tsx';
import { formatShare } from './page-link.ts';
import {
  type CountedName,
  type CountedValue,
  PROPERTY_SCOPES,
  type PropertyCatalog,
  type PropertyScope,
} from './property-catalog.ts';
import { ApiError } from './query-api.ts';
import { createValueCondition } from './segment-condition.ts';
import { useLoaded } from './use-loaded.ts';

/** How many values of a property are shown. */
const SHOWN_VALUES = 12;

/** A property of which only the name is known may have all types. */
const TYPE_COUNT = 5;

/** The sign of each type. */
const SIGNS: Readonly<Record<string, string>> = { string: 'Aa', number: '12', boolean: '◐', list: '[ ]', null: '∅' };

interface PropertyActions {
  /** Adds a condition to the filter. */
  readonly filter: (condition: FormCondition) => void;
  /** Groups by a property. */
  readonly group: (scope: PropertyScope, name: string) => void;
}

interface PropertyListProps {
  readonly catalog: PropertyCatalog;
  readonly schema: Schema | undefined;
  readonly actions: PropertyActions;
}

/** The properties of events and people. One that is open shows its values: a click on a value filters by it. */
export function PropertyList({ catalog, schema, actions }: PropertyListProps) {
  const [search, setSearch] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const found = useLoaded(
    () => Promise.all(PROPERTY_SCOPES.map((scope) => catalog.getAllProperties(scope))),
    [catalog],
  );
  const sampled = useLoaded(() => catalog.getTypes?.(), [catalog]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  if (found === undefined || found.every((names) => names.length === 0)) return null;
  const wanted = search.trim().toLowerCase();
  return (
    <section id="properties" aria-labelledby="properties-heading">
      <h2 id="properties-heading">Properties</h2>
      <label class="search">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          placeholder="Search"
          aria-label="Search properties"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <kbd>Ctrl K</kbd>
      </label>
      <div class="properties">
        {PROPERTY_SCOPES.flatMap((scope, index) =>
          (found[index] ?? [])
            .filter(({ name }) => name.toLowerCase().includes(wanted))
            .map((counted) => (
              <PropertyItem
                key={`${scope} ${counted.name}`}
                catalog={catalog}
                schema={schema}
                scope={scope}
                counted={counted}
                type={scope === 'properties' ? sampled?.get(counted.name) : undefined}
                // The most frequent one is in all records: its name or its time.
                whole={found[index]?.[0]?.count ?? 0}
                actions={actions}
              />
            )),
        )}
      </div>
    </section>
  );
}

interface ItemProps extends PropertyListProps {
  readonly scope: PropertyScope;
  readonly counted: CountedName;
  /** The type in some events. */
  readonly type: string | undefined;
  readonly whole: number;
}

function PropertyItem({ catalog, schema, scope, counted: { name, count }, type, whole, actions }: ItemProps) {
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoaded(
    () => (isOpen ? catchApiError(catalog.getValues(scope, name)) : undefined),
    [catalog, scope, name, isOpen],
  );
  const values = loaded instanceof ApiError ? [] : loaded;
  const part = schema?.[scope];
  const known = part !== undefined && Object.hasOwn(part, name) ? part[name]?.types : undefined;
  const types =
    values?.map((value) => value.type) ?? (known !== undefined && known.length < TYPE_COUNT ? known : [type ?? '']);
  return (
    <details data-name={name} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="type" title={[...new Set(types)].join(', ')}>
          {SIGNS[types.find((type) => type !== 'null') ?? ''] ?? '·'}
        </span>
        <bdi>{escapeUnprintable(name)}</bdi>
        {scope === 'user' && <span class="tag">user</span>}
        <span class="share" title={`${formatInteger(count)} records`}>
          {formatShare(count, whole)}
        </span>
      </summary>
      {isOpen && (
        <div class="values">
          {values === undefined ? (
            <p class="hint">Loading …</p>
          ) : (
            <>
              {loaded instanceof ApiError && <p class="error">{loaded.message}</p>}
              <button type="button" class="quiet" onClick={() => actions.group(scope, name)}>
                Group by
              </button>
              {values.slice(0, SHOWN_VALUES).map((value) => (
                <Value
                  key={`${value.type} ${value.value}`}
                  value={value}
                  max={values[0]?.count ?? 1}
                  onClick={() => actions.filter(createValueCondition(scope, name, value))}
                />
              ))}
            </>
          )}
        </div>
      )}
    </details>
  );
}

interface ValueProps {
  readonly value: CountedValue;
  readonly max: number;
  readonly onClick: () => void;
}

function Value({ value: { value, count }, max, onClick }: ValueProps) {
  return (
    <button
      type="button"
      class="value-row"
      title="Filter by this value"
      onClick={onClick}
      style={{ '--share': count / max }}
    >
      <bdi>{escapeUnprintable(value)}</bdi>
      <span class="count">{formatInteger(count)}</span>
    </button>
  );
}
