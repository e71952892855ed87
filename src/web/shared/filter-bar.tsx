import { useState } from 'preact/hooks';
import { check } from '../../api/expressions.ts';
import { fromForm, toForm } from '../../api/forms.ts';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { FilterNote } from '../../editor/element/show-findings.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { FORM_OPERATORS, type FormGroup, type FormRow } from '../../lang/form/form.ts';
import { addCondition } from './add-condition.ts';
import { Chip } from './chip.tsx';
import { FilterField } from './filter-field.tsx';
import { NameList } from './name-list.tsx';
import { PROPERTY_SCOPES, type PropertyCatalog, type PropertyScope } from './property-catalog.ts';
import { createValueCondition } from './segment-condition.ts';
import { useLoaded } from './use-loaded.ts';

interface FilterBarProps {
  readonly value: string;
  readonly schema: Schema | undefined;
  /** The properties and values to choose from. */
  readonly catalog: PropertyCatalog;
  readonly timeZone?: string;
  readonly notes?: readonly FilterNote[];
  readonly onChange: (value: string) => void;
}

/** A filter as chips, one for each condition, or as text. Both show the same expression. */
export function FilterBar(props: FilterBarProps) {
  const { value, schema, catalog, timeZone = 'UTC', notes = [], onChange } = props;
  const [asText, setAsText] = useState(false);
  // What is no expression, or has findings, is only legible as text.
  const form = readRows(value);
  const isText = asText || form === undefined || notes.length > 0;
  return (
    <div class="where">
      {isText ? (
        <FilterField
          label="Filter"
          placeholder='properties["plan"] == "pro"'
          value={value}
          schema={schema}
          timeZone={timeZone}
          notes={notes}
          onInput={(source) => {
            setAsText(true);
            onChange(source);
          }}
        />
      ) : (
        <FilterChips form={form} schema={schema} catalog={catalog} value={value} onChange={onChange} />
      )}
      <fieldset class="where-mode" aria-label="Filter as">
        <button type="button" aria-pressed={!isText} disabled={form === undefined} onClick={() => setAsText(false)}>
          Chips
        </button>
        <button type="button" aria-pressed={isText} onClick={() => setAsText(true)}>
          Text
        </button>
      </fieldset>
    </div>
  );
}

function readRows(source: string): FormGroup | undefined {
  if (source.trim() !== '' && check(source).types.length === 0) return undefined;
  const form = toForm(source);
  // A negated group is one part.
  return form.negated ? { kind: 'group', join: 'and', negated: false, rows: [form] } : form;
}

interface ChipsProps {
  readonly form: FormGroup;
  readonly value: string;
  readonly schema: Schema | undefined;
  readonly catalog: PropertyCatalog;
  readonly onChange: (value: string) => void;
}

function FilterChips({ form, value, schema, catalog, onChange }: ChipsProps) {
  const write = (rows: readonly FormRow[]) => onChange(fromForm({ ...form, rows }));
  return (
    <>
      {form.rows.map((row, at) => (
        <RowChip
          key={at}
          row={row}
          join={at === 0 ? undefined : form.join}
          schema={schema}
          onChange={(source) => {
            const next = readRows(source);
            if (next !== undefined)
              write(
                form.rows.toSpliced(at, 1, ...(next.rows.length === 1 || next.join === form.join ? next.rows : [next])),
              );
          }}
          onRemove={() => write(form.rows.toSpliced(at, 1))}
        />
      ))}
      <Chip label="Filter" value={undefined}>
        {(close) => (
          <NewCondition
            catalog={catalog}
            onAdd={(row) => {
              const next = addCondition(value, row);
              if (next !== undefined) onChange(next);
              close();
            }}
          />
        )}
      </Chip>
    </>
  );
}

interface RowProps {
  readonly row: FormRow;
  readonly join: string | undefined;
  readonly schema: Schema | undefined;
  readonly onChange: (source: string) => void;
  readonly onRemove: () => void;
}

function RowChip({ row, join, schema, onChange, onRemove }: RowProps) {
  const [source, setSource] = useState<string>();
  const written = fromForm({ kind: 'group', join: 'and', negated: false, rows: [row] });
  return (
    <>
      {join !== undefined && <span class="where-join">{join}</span>}
      <Chip label="Condition" value={<Condition row={row} source={written} />} onRemove={onRemove}>
        {() => (
          <FilterField
            label="Condition"
            hasRows
            schema={schema}
            value={source ?? written}
            onInput={(next) => {
              setSource(next);
              if (next.trim() !== '' && check(next, { use: 'where' }).ok) onChange(next);
            }}
          />
        )}
      </Chip>
    </>
  );
}

/** A condition as it reads. Other parts are shown as code. */
function Condition({ row, source }: { readonly row: FormRow; readonly source: string }) {
  if (row.kind !== 'condition') return <code>{source}</code>;
  return (
    <>
      <b>{row.property}</b> <i>{FORM_OPERATORS[row.operator].label}</i> <em>{formatValue(row.value)}</em>
    </>
  );
}

function formatValue(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' && value !== null && 'datetime' in value ? String(value.datetime) : String(value);
}

interface NewProps {
  readonly catalog: PropertyCatalog;
  readonly onAdd: (row: FormRow) => void;
}

/** Chooses a property, and then one of its values. */
function NewCondition({ catalog, onAdd }: NewProps) {
  const [chosen, setChosen] = useState<ScopedName>();
  const properties = useLoaded(() => listProperties(catalog), [catalog]);
  const values = useLoaded(
    () => (chosen === undefined ? undefined : catalog.getValues(chosen.scope, chosen.name)),
    [chosen],
  );
  if (chosen === undefined) {
    const names = properties ?? [];
    return (
      <NameList
        key="property"
        label="Property"
        names={names.map(({ scope, name }, at) => ({
          value: String(at),
          label: name,
          ...(scope === 'user' && { note: 'user' }),
        }))}
        onChoose={(at) => setChosen(names[Number(at)])}
      />
    );
  }
  const { scope, name } = chosen;
  const found = values ?? [];
  return (
    <>
      <p class="popover-title">{escapeUnprintable(name)}</p>
      <NameList
        key="value"
        label={`Value of ${name}`}
        names={found.map(({ value, count }, at) => ({ value: String(at), label: value, note: formatInteger(count) }))}
        onChoose={(at) => {
          const counted = found[Number(at)];
          if (counted !== undefined) onAdd(createValueCondition(scope, name, counted));
        }}
      />
      <button
        type="button"
        class="quiet"
        onClick={() => onAdd({ kind: 'condition', scope, property: name, operator: 'defined' })}
      >
        has a value
      </button>
    </>
  );
}

interface ScopedName {
  readonly scope: PropertyScope;
  readonly name: string;
}

async function listProperties(catalog: PropertyCatalog): Promise<readonly ScopedName[]> {
  const found = await Promise.all(PROPERTY_SCOPES.map((scope) => catalog.getAllProperties(scope)));
  return PROPERTY_SCOPES.flatMap((scope, index) => (found[index] ?? []).map(({ name }) => ({ scope, name })));
}
