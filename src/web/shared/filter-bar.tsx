import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { check } from '../../api/expressions.ts';
import { fromForm, toForm } from '../../api/forms.ts';
import { escapeUnprintable, formatInteger, truncate } from '../../base/strings.ts';
import { FORM_OPERATORS, type FormGroup, type FormRow } from '../../lang/form/form.ts';
import { addCondition } from './add-condition.ts';
import { Chip } from './chip.tsx';
import { type EditorContext, FilterField } from './filter-field.tsx';
import { NameList } from './name-list.tsx';
import { PROPERTY_SCOPES, type PropertyCatalog, type PropertyScope } from './property-catalog.ts';
import { createValueCondition } from './segment-condition.ts';
import { useLoaded } from './use-loaded.ts';

/** Limit of a part of a condition in characters. */
const MAX_LENGTH = 120;

/** Whether someone prefers text. All tabs show their filters so. */
const asText = signal(false);

interface FilterBarProps extends EditorContext {
  readonly value: string;
  /** The properties and values to choose from. */
  readonly catalog: PropertyCatalog;
  readonly onChange: (value: string) => void;
}

/** A filter as chips, one for each condition, or as text. Both show the same expression. */
export function FilterBar(props: FilterBarProps) {
  const { value, schema, timeZone, notes, onChange } = props;
  // What is no expression, or has findings, is only legible as text.
  const form = readRows(value);
  const isText = asText.value || form === undefined || (notes ?? []).length > 0;
  return (
    <div class="row where">
      {isText ? (
        <FilterField
          label="Filter"
          placeholder='properties["plan"] == "pro"'
          value={value}
          schema={schema}
          timeZone={timeZone}
          notes={notes}
          onInput={(source) => {
            asText.value = true;
            onChange(source);
          }}
        />
      ) : (
        <FilterChips {...props} form={form} />
      )}
      <fieldset class="where-mode" aria-label="Filter as">
        {[false, true].map((isWanted) => (
          <button
            key={isWanted}
            type="button"
            class="quiet"
            aria-pressed={isText === isWanted}
            disabled={!isWanted && form === undefined}
            onClick={() => {
              asText.value = isWanted;
            }}
          >
            {isWanted ? 'Text' : 'Chips'}
          </button>
        ))}
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

function FilterChips(props: FilterBarProps & { readonly form: FormGroup }) {
  const { form, value, schema, timeZone, catalog, onChange } = props;
  const write = (rows: readonly FormRow[]) => onChange(fromForm({ ...form, rows }));
  return (
    <span class="where-rows">
      {form.rows.map((row, at) => (
        <Fragment key={at}>
          {at > 0 && <span class="muted">{form.join}</span>}
          <Chip label="Condition" value={<Condition row={row} />} onRemove={() => write(form.rows.toSpliced(at, 1))}>
            {() => <RowEditor form={form} at={at} schema={schema} timeZone={timeZone} onChange={onChange} />}
          </Chip>
        </Fragment>
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
    </span>
  );
}

interface RowProps extends EditorContext {
  readonly form: FormGroup;
  readonly at: number;
  readonly onChange: (value: string) => void;
}

/** Edits one row of a form, which can become several. */
function RowEditor({ form, at, schema, timeZone, onChange }: RowProps) {
  // The other rows, and the place of this one, stay those of the beginning.
  const [first] = useState({ form, at });
  const [source, setSource] = useState(() => writeRow(form.rows[at]));
  return (
    <FilterField
      label="Condition"
      hasRows
      schema={schema}
      timeZone={timeZone}
      value={source}
      onInput={(next) => {
        setSource(next);
        const edited = next.trim() !== '' && check(next, { use: 'where' }).ok ? readRows(next) : undefined;
        if (edited === undefined) return;
        const rows = edited.rows.length === 1 || edited.join === first.form.join ? edited.rows : [edited];
        onChange(fromForm({ ...first.form, rows: first.form.rows.toSpliced(first.at, 1, ...rows) }));
      }}
    />
  );
}

function writeRow(row: FormRow | undefined): string {
  return row === undefined ? '' : fromForm({ kind: 'group', join: 'and', negated: false, rows: [row] });
}

interface ConditionProps {
  readonly row: FormRow;
  /** Whether it is a part of a group that is shown too. */
  readonly isInner?: boolean;
}

/** A condition as it reads, and a group as its conditions. Other expressions are shown as code. */
function Condition({ row, isInner = false }: ConditionProps) {
  if (row.kind === 'expression') return <code>{escapeUnprintable(truncate(writeRow(row), MAX_LENGTH))}</code>;
  if (row.kind === 'group') {
    const hasBrackets = row.rows.length > 1 && (isInner || row.negated);
    return (
      <>
        {row.negated && <i>not </i>}
        {hasBrackets && <i>(</i>}
        {row.rows.map((inner, at) => (
          <Fragment key={at}>
            {at > 0 && <i> {row.join} </i>}
            <Condition row={inner} isInner />
          </Fragment>
        ))}
        {hasBrackets && <i>)</i>}
      </>
    );
  }
  return (
    <>
      {row.scope === 'user' && <i>user </i>}
      <b>{escapeUnprintable(truncate(row.property, MAX_LENGTH))}</b> <i>{FORM_OPERATORS[row.operator].label}</i>{' '}
      <em>{escapeUnprintable(truncate(formatValue(row.value), MAX_LENGTH))}</em>
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
        onChoose={(at) => {
          // The values take the focus from the popover once they are loaded.
          document.activeElement?.closest<HTMLElement>('[role=dialog]')?.focus();
          setChosen(names[Number(at)]);
        }}
      />
    );
  }
  const { scope, name } = chosen;
  const found = values ?? [];
  return (
    <>
      <h2>{escapeUnprintable(name)}</h2>
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
