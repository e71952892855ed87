import { FilterField } from '../../shared/filter-field.tsx';
import { describeChoice, type Field } from '../queries.ts';
import type { QuestionModel } from '../question-model.ts';
import { getFieldValue } from '../state.ts';

interface FieldInputProps {
  readonly model: QuestionModel;
  readonly field: Field;
}

/** The control of a field with its label, made from the parameter of the endpoint. */
export function FieldInput({ model, field }: FieldInputProps) {
  const { name, label, description } = field;
  return (
    <div class="field" title={description}>
      <label for={`field-${name}`}>{label}</label>
      <Control model={model} field={field} />
    </div>
  );
}

function Control({ model, field }: FieldInputProps) {
  const { name, kind, label, fallback, choices } = field;
  const value = getFieldValue(model.shown.value, field);
  const set = (next: string) => model.set({ [name]: next });
  const id = `field-${name}`;
  switch (kind) {
    case 'expression':
      return <FilterField label={label} value={value} schema={model.schema.value} onInput={set} />;
    case 'choice':
      return (
        <select id={id} value={value} onInput={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">{fallback === '' ? 'default' : describeChoice(field, fallback)}</option>
          {choices
            .filter((choice) => choice !== fallback)
            .map((choice) => (
              <option key={choice} value={choice}>
                {describeChoice(field, choice)}
              </option>
            ))}
        </select>
      );
    case 'names':
      return (
        <textarea
          id={id}
          rows={3}
          value={value}
          placeholder="one per line"
          spellcheck={false}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    default:
      return (
        <input
          id={id}
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          value={value}
          placeholder={fallback}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
  }
}
