import { Chip } from '../../shared/chip.tsx';
import { GroupChip } from '../../shared/group-chip.tsx';
import { NameChip } from '../../shared/name-list.tsx';
import { formatSteps } from '../funnel-steps.ts';
import {
  describeChoice,
  type Field,
  findField,
  listFields,
  listQuestions,
  type PageQuery,
  QUERIES,
  splitLine,
} from '../queries.ts';
import type { QuestionModel } from '../question-model.ts';
import { getFieldValue, getNamedValue, getTab, type QuestionState, setValues } from '../state.ts';
import { DatesChip } from './dates-chip.tsx';
import { FieldInput } from './field-input.tsx';
import { EventChip, EventsChip, PropertyChip } from './name-chips.tsx';
import { StepChips } from './step-chips.tsx';

interface LineProps {
  readonly model: QuestionModel;
}

/** The question as a sentence, whose parts can be changed. */
export function QuestionLine({ model }: LineProps) {
  const state = model.shown.value;
  const parts = splitLine(QUERIES[state.query].line);
  const placed = new Set(parts.map(({ field }) => field));
  const others = listFields(state.query).filter(
    ({ name, kind }) =>
      !placed.has(name) && kind !== 'date' && name !== 'where' && !(name === 'type' && state.query === 'segmentation'),
  );
  return (
    <fieldset class="row ask" aria-label="Question">
      {parts.map(({ words, field }) => (
        <Part key={field ?? words} model={model} words={words} name={field} />
      ))}
      {others.length > 0 && (
        <Chip label="More" value={countSet(model.state.value, others)}>
          {() => (
            <div class="stack">
              {others.map((field) => (
                <FieldInput key={field.key} model={model} field={field} />
              ))}
            </div>
          )}
        </Chip>
      )}
    </fieldset>
  );
}

/** Returns the title of the chip with the other fields; undefined if none of them has a value. */
function countSet(state: QuestionState, fields: readonly Field[]): string | undefined {
  const set = fields.filter((field) => getFieldValue(state, field) !== '');
  return set.map((field) => `${field.label.toLowerCase()}: ${getFieldValue(state, field)}`).join(', ') || undefined;
}

interface PartProps extends LineProps {
  readonly words: string;
  readonly name: string | undefined;
}

function Part({ model, words, name }: PartProps) {
  const state = model.shown.value;
  const before = words === '' ? null : <span>{words}</span>;
  if (name === undefined) return before;
  if (name === 'measure') return <MeasureChip model={model} />;
  if (name === 'dates')
    return (
      <>
        {before}
        <DatesChip model={model} />
      </>
    );
  // Recurring users begin with each event that counts as a return.
  if (name === 'born_event' && getNamedValue(state, 'retention_type') === 'compounded') return null;
  const field = findField(state.query, name);
  if (field === undefined) return before;
  const value = getFieldValue(state, field);
  // A chip without a name says “any event”.
  const isShown = value !== '' || field.kind === 'name' || field.fallback !== '' || field.name in DEFAULTS;
  if (field.kind === 'funnel') return <FunnelChip model={model} field={field} />;
  return (
    <>
      {isShown || field.kind === 'steps' ? before : null}
      <FieldChip model={model} field={field} />
    </>
  );
}

function FieldChip({ model, field }: LineProps & { readonly field: Field }) {
  const value = getFieldValue(model.shown.value, field);
  const set = (next: string) => model.set({ [field.name]: next });
  switch (field.kind) {
    case 'steps':
      return <StepChips model={model} value={value} onChange={set} />;
    case 'expression': {
      const { on }: PageQuery = QUERIES[model.shown.value.query];
      const isNumber = on === 'number';
      return (
        <GroupChip
          label={isNumber ? field.label : 'By'}
          value={value}
          schema={model.schema.value}
          isNumber={isNumber}
          onChange={set}
        />
      );
    }
    case 'name':
      return field.name === 'name' ? (
        <PropertyChip model={model} field={field} />
      ) : (
        <EventChip model={model} field={field} />
      );
    case 'names':
      return <EventsChip model={model} field={field} />;
    case 'choice':
      return <ChoiceChip field={field} value={value} onChange={set} />;
    default:
      return (
        <Chip label={field.label} value={value || DEFAULTS[field.name]}>
          {() => <FieldInput model={model} field={field} />}
        </Chip>
      );
  }
}

/** Defaults that depend on the rest of the question. */
const DEFAULTS: Readonly<Record<string, string>> = { length: '14', length_unit: 'day' };

interface ChoiceProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ChoiceChip({ field, value, onChange }: ChoiceProps) {
  const shown = value || field.fallback || DEFAULTS[field.name];
  if (field.name === 'compare') {
    // It has one value: the chip is a switch.
    return (
      <button
        type="button"
        class="chip-switch"
        aria-pressed={value !== ''}
        onClick={() => onChange(value === '' ? 'before' : '')}
      >
        Compare with the period before
      </button>
    );
  }
  return (
    <NameChip
      label={field.label}
      value={shown && describeChoice(field, shown)}
      names={field.choices.map((choice) => ({ value: choice, label: describeChoice(field, choice) }))}
      chosen={shown}
      onChoose={onChange}
    />
  );
}

/** How segmentation counts: they read as measures of their own. */
const COUNTS: Readonly<Record<string, string>> = {
  general: 'Total',
  unique: 'Unique users',
  average: 'Average per user',
};

/** Chooses among the questions of a tab. */
function MeasureChip({ model }: LineProps) {
  const state = model.shown.value;
  const type = findField('segmentation', 'type');
  const counted = state.query === 'segmentation' && type !== undefined ? getFieldValue(state, type) || 'general' : '';
  const names = listQuestions(getTab(state)).flatMap((query) => {
    const { measure }: PageQuery = QUERIES[query];
    if (query !== 'segmentation') return [{ value: query as string, label: measure }];
    return Object.entries(COUNTS).map(([value, label]) => ({ value: `segmentation ${value}`, label }));
  });
  const chosen = counted === '' ? state.query : `segmentation ${counted}`;
  return (
    <NameChip
      label="Measure"
      value={names.find(({ value }) => value === chosen)?.label ?? ''}
      names={names}
      chosen={chosen}
      onChoose={(value) => {
        const [query, count] = value.split(' ') as [keyof typeof QUERIES, string?];
        const next = { ...model.state.value, query };
        model.state.value = count === undefined ? next : setValues(next, { type: count === 'general' ? '' : count });
      }}
    />
  );
}

/** Chooses a saved funnel, or steps of its own. Without saved funnels there is nothing to choose. */
function FunnelChip({ model, field }: LineProps & { readonly field: Field }) {
  const funnels = model.data.value?.funnels ?? [];
  if (funnels.length === 0) return null;
  const state = model.shown.value;
  const steps = findField(state.query, 'steps');
  const value = steps !== undefined && getFieldValue(state, steps) !== '' ? '' : getFieldValue(state, field);
  const names = funnels.map(({ funnel_id, name }) => ({ value: String(funnel_id), label: name }));
  const own = { value: '', label: 'Own steps' };
  const title = [...names, own].find((name) => name.value === value)?.label ?? value;
  return (
    <NameChip
      label="Funnel"
      value={title}
      names={[...names, own]}
      chosen={value}
      onChoose={(id) => {
        const events = model.data.value?.overview.events.slice(0, 2) ?? [];
        const steps = formatSteps(events.map(({ event }) => ({ event, where: '' })));
        model.set(id === '' ? { funnel_id: '', steps } : { funnel_id: id, steps: '' });
      }}
    />
  );
}
