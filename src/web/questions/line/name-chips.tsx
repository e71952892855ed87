import { formatInteger } from '../../../base/strings.ts';
import { Chip } from '../../shared/chip.tsx';
import { NameChip, NameList } from '../../shared/name-list.tsx';
import { useLoaded } from '../../shared/use-loaded.ts';
import type { Field } from '../queries.ts';
import type { QuestionModel } from '../question-model.ts';
import { getFieldValue, getNamedValue } from '../state.ts';

interface FieldProps {
  readonly model: QuestionModel;
  readonly field: Field;
}

/** Returns the events of the data, for lists to choose from. */
export function listEvents(model: QuestionModel) {
  const events = model.data.value?.overview.events ?? [];
  return events.map(({ event, count }) => ({ value: event, note: formatInteger(count) }));
}

/** Chooses an event. */
export function EventChip({ model, field }: FieldProps) {
  const value = getFieldValue(model.shown.value, field);
  const anyEvent = field.isRequired || field.name === 'born_event' ? [] : [{ value: '', label: 'any event' }];
  return (
    <NameChip
      label={field.label}
      look="event"
      value={value || (field.isRequired ? undefined : 'any event')}
      names={[...anyEvent, ...listEvents(model)]}
      chosen={value}
      isOpen
      onChoose={(event) => model.set({ [field.name]: event })}
    />
  );
}

/** Chooses several events. */
export function EventsChip({ model, field }: FieldProps) {
  const chosen = getFieldValue(model.shown.value, field)
    .split('\n')
    .filter((name) => name !== '');
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    model.set({ [field.name]: next.join('\n') });
  };
  const names = [
    ...new Map(
      [...chosen.map((value) => ({ value })), ...listEvents(model)].map((name) => [name.value, name]),
    ).values(),
  ];
  return (
    <Chip label={field.label} look="event" value={chosen.length === 0 ? undefined : chosen.join(', ')}>
      {() => (
        <NameList
          label={field.label}
          names={names.map((name) => ({ ...name, label: `${chosen.includes(name.value) ? '✓ ' : ''}${name.value}` }))}
          isOpen
          onChoose={toggle}
        />
      )}
    </Chip>
  );
}

/** Chooses a property of the event in question. */
export function PropertyChip({ model, field }: FieldProps) {
  const value = getFieldValue(model.shown.value, field);
  const event = getNamedValue(model.shown.value, 'event');
  const known = model.names.value;
  const names = useLoaded(() => (event === '' ? undefined : known.getProperties(event)), [known, event]) ?? [];
  return (
    <NameChip
      label={field.label}
      value={value || undefined}
      names={names.map((name) => ({ value: name }))}
      chosen={value}
      isOpen
      onChoose={(name) => model.set({ [field.name]: name })}
    />
  );
}
