import { useState } from 'preact/hooks';
import { escapeUnprintable, formatProperty, truncate } from '../../base/strings.ts';
import { Chip } from './chip.tsx';
import { type EditorContext, FilterField } from './filter-field.tsx';
import { NameList } from './name-list.tsx';
import { readPropertyName } from './segment-condition.ts';

/** Limit of the value in characters. */
const MAX_LENGTH = 120;

interface GroupProps extends EditorContext {
  readonly label: string;
  readonly value: string;
  /** Whether the expression must be a number. Then it cannot be removed. */
  readonly isNumber?: boolean;
  readonly onChange: (source: string) => void;
}

/** Chooses the property to group by or to calculate with, or writes an expression instead. */
export function GroupChip(props: GroupProps) {
  const { label, value, notes = [], isNumber = false, onChange } = props;
  const name = readPropertyName(value);
  return (
    <>
      <Chip
        label={label}
        value={value === '' ? undefined : escapeUnprintable(truncate(name ?? value, MAX_LENGTH))}
        onRemove={isNumber ? undefined : () => onChange('')}
      >
        {(close) => (
          <GroupEditor
            {...props}
            // The editor shows findings, with their fixes.
            startsAsText={(value !== '' && name === undefined) || notes.length > 0}
            onChoose={(source) => {
              onChange(source);
              close();
            }}
          />
        )}
      </Chip>
      {notes.length > 0 && (
        <span class="warning">{notes.map(({ message }) => escapeUnprintable(message)).join(' ')}</span>
      )}
    </>
  );
}

interface EditorProps extends GroupProps {
  readonly startsAsText: boolean;
  readonly onChoose: (source: string) => void;
}

function GroupEditor(props: EditorProps) {
  const { value, schema, timeZone, notes, isNumber = false, startsAsText, onChange, onChoose } = props;
  const [asText, setAsText] = useState(startsAsText);
  const names = (['properties', 'user'] as const).flatMap((scope) =>
    Object.keys(schema?.[scope] ?? {}).map((name) => ({
      value: formatProperty(scope, name),
      label: name,
      ...(scope === 'user' && { note: 'user' }),
    })),
  );
  if (asText || names.length === 0) {
    return (
      <FilterField
        label={isNumber ? 'Number' : 'Group by'}
        use={isNumber ? 'number' : 'on'}
        value={value}
        schema={schema}
        timeZone={timeZone}
        notes={notes}
        onInput={onChange}
      />
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
