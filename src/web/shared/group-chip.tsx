import { useState } from 'preact/hooks';
import { formatProperty } from '../../base/strings.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { Chip } from './chip.tsx';
import { FilterField } from './filter-field.tsx';
import { NameList } from './name-list.tsx';
import { readPropertyName } from './segment-condition.ts';

interface GroupProps {
  readonly label: string;
  readonly value: string;
  readonly schema: Schema | undefined;
  /** Whether the expression must be a number. Then it cannot be removed. */
  readonly isNumber?: boolean;
  readonly onChange: (source: string) => void;
}

/** Chooses the property to group by or to calculate with, or writes an expression instead. */
export function GroupChip({ label, value, schema, isNumber = false, onChange }: GroupProps) {
  const name = readPropertyName(value);
  return (
    <Chip
      label={label}
      value={value === '' ? undefined : (name ?? value)}
      onRemove={isNumber ? undefined : () => onChange('')}
    >
      {(close) => (
        <GroupEditor
          value={value}
          schema={schema}
          isNumber={isNumber}
          startsAsText={value !== '' && name === undefined}
          onInput={onChange}
          onChoose={(source) => {
            onChange(source);
            close();
          }}
        />
      )}
    </Chip>
  );
}

interface EditorProps {
  readonly value: string;
  readonly schema: Schema | undefined;
  readonly isNumber: boolean;
  readonly startsAsText: boolean;
  readonly onInput: (source: string) => void;
  readonly onChoose: (source: string) => void;
}

function GroupEditor({ value, schema, isNumber, startsAsText, onInput, onChoose }: EditorProps) {
  const [asText, setAsText] = useState(startsAsText);
  const names = (['properties', 'user'] as const).flatMap((scope) =>
    Object.keys(schema?.[scope] ?? {}).map((name) => ({
      value: formatProperty(scope, name),
      label: name,
      ...(scope === 'user' && { note: 'user' }),
    })),
  );
  if (asText || names.length === 0) {
    const use = isNumber ? 'number' : 'on';
    return (
      <FilterField label={isNumber ? 'Number' : 'Group by'} use={use} value={value} schema={schema} onInput={onInput} />
    );
  }
  return (
    <>
      <NameList
        label="Property"
        names={names}
        chosen={value}
        onChoose={(source) => onChoose(isNumber ? `number(${source})` : source)}
      />
      <button type="button" class="quiet" onClick={() => setAsText(true)}>
        Write an expression
      </button>
    </>
  );
}
