import { useEffect, useRef, useState } from 'preact/hooks';
import { escapeUnprintable, formatProperty, truncate } from '../../base/strings.ts';
import { DECIMALS } from '../../data/csv-table.ts';
import type { DescribedField } from '../../data/describe-fields.ts';
import { ENCODINGS, type Encoding } from '../../data/encoding.ts';
import type { Role } from '../../data/field-mapping.ts';
import type { FileShape, LoadProgress, ReadingChoices } from '../events/messages.ts';
import type { FileSource } from './file-source.ts';

const TITLES: Readonly<Record<Role, string>> = { time: 'Time', user: 'User', event: 'Event' };

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
]);

const ENCODING_TITLES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  latin1: 'Latin-1',
  'windows-1252': 'Windows-1252',
};

/** One option of a choice. */
interface ChoiceOption {
  readonly label: string;
  readonly isChosen: boolean;
  readonly choices: Partial<ReadingChoices>;
}

/** Limit of the name of a column in characters. */
const MAX_NAME_LENGTH = 60;

interface ReadingProps {
  readonly source: FileSource;
  readonly progress: LoadProgress;
}

/** Returns whether only someone can say how a file is read: its format, or the column of its times. */
export function needsReadingChoice(progress: LoadProgress): boolean {
  const isUnclear = ({ role, column, note }: DescribedField) => role === 'time' && !column && note !== '';
  return isUnreadable(progress) || progress.shape?.fields.some(isUnclear) === true;
}

function isUnreadable({ shape, end }: LoadProgress): boolean {
  return shape === undefined && end !== undefined;
}

/** How the file is read, in a line, and the choices behind it. */
export function ReadingForm({ source, progress }: ReadingProps) {
  // The choices stay while the file is read again: one of them has the focus.
  const shown = useRef(progress);
  if (progress.done) shown.current = progress;
  const { shape, done } = shown.current;
  const isUnread = isUnreadable(shown.current);
  const needsChoice = needsReadingChoice(shown.current);
  const [isOpen, setOpen] = useState(needsChoice);
  useEffect(() => {
    if (needsChoice) setOpen(true);
  }, [needsChoice]);
  if (!done || (shape === undefined && !isUnread)) return null;
  const choices = source.choices.value;
  const change = (changes: Partial<ReadingChoices>) => source.reopen({ ...choices, ...changes });
  const dotted = shape?.nested && formatProperty('properties', shape.nested.dotted);
  const example = dotted === undefined ? '' : `, as ${truncate(dotted, MAX_NAME_LENGTH)}`;
  return (
    <details class="reading" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{escapeUnprintable(isUnread ? 'How to read the file' : describeShape(shape))}</summary>
      <div class="choices">
        {(shape?.fields ?? []).map((field) => (
          <Choice
            key={field.role}
            title={TITLES[field.role]}
            options={listColumns(field, shape, choices)}
            onChange={change}
          />
        ))}
        {(dotted !== undefined || choices.flatten) && (
          <label>
            <input
              type="checkbox"
              checked={choices.flatten}
              onInput={({ currentTarget }) => change({ flatten: currentTarget.checked })}
            />{' '}
            {escapeUnprintable(`Read nested objects as properties${example}`)}
          </label>
        )}
        {(shape === undefined || shape.delimiter !== undefined) && (
          <>
            <Choice title="Delimiter" options={listDelimiters(choices)} onChange={change} />
            <Choice title="First row" options={listFirstRows(choices)} onChange={change} />
            <Choice title="Numbers" options={listDecimals(choices)} onChange={change} />
          </>
        )}
        {(choices.records !== undefined || (shape !== undefined && shape.lists.length > 0)) && (
          <Choice title="Records" options={listRecordLists(shape, choices)} onChange={change} />
        )}
        <Choice title="Encoding" options={listEncodings(choices)} onChange={change} />
        <Choice title="Time zone" options={listTimeZones(choices)} onChange={change} />
      </div>
    </details>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly options: readonly ChoiceOption[];
  readonly onChange: (choices: Partial<ReadingChoices>) => void;
}

function Choice({ title, options, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{title}</span>
      <select
        value={options.findIndex(({ isChosen }) => isChosen)}
        onInput={({ currentTarget }) => onChange(options[currentTarget.selectedIndex]?.choices ?? {})}
      >
        {options.map(({ label }, at) => (
          <option key={label} value={at}>
            {escapeUnprintable(truncate(label, MAX_NAME_LENGTH))}
          </option>
        ))}
      </select>
    </label>
  );
}

function listColumns(
  { role, column }: DescribedField,
  shape: FileShape | undefined,
  { fields }: ReadingChoices,
): ChoiceOption[] {
  const { [role]: chosen, ...others } = fields;
  const set = (label: string, value: string | undefined): ChoiceOption => {
    const set = { ...others, [role]: { column: value, isSet: true } };
    return { label, isChosen: chosen !== undefined && chosen.column === value, choices: { fields: set } };
  };
  const guess = chosen === undefined && column !== undefined ? `guessed: ${column}` : 'guess';
  return [
    { label: guess, isChosen: chosen === undefined, choices: { fields: others } },
    set('none', undefined),
    ...(shape?.columns ?? []).map((name) => set(name, name)),
  ];
}

function listRecordLists(shape: FileShape | undefined, { records }: ReadingChoices): ChoiceOption[] {
  const offered = [...new Set([...(records === undefined ? [] : [records]), ...(shape?.lists ?? [])])];
  return [undefined, ...offered].map((one) => {
    return { label: one ?? 'guess', isChosen: records === one, choices: { records: one } };
  });
}

function listDelimiters({ delimiter }: ReadingChoices): ChoiceOption[] {
  const offered = [...new Set([...(delimiter === undefined ? [] : [delimiter]), ...DELIMITERS.keys()])];
  return [undefined, ...offered].map((one) => {
    const label = one === undefined ? 'guess' : (DELIMITERS.get(one) ?? one);
    return { label, isChosen: delimiter === one, choices: { delimiter: one } };
  });
}

function listFirstRows({ header, columns }: ReadingChoices): ChoiceOption[] {
  const isData = header === false || columns !== undefined;
  return [
    { label: 'names of columns', isChosen: !isData, choices: { header: true, columns: undefined } },
    { label: 'a record', isChosen: isData, choices: { header: false } },
  ];
}

function listDecimals({ decimal = '.' }: ReadingChoices): ChoiceOption[] {
  return DECIMALS.map((one) => ({ label: `as 1${one}5`, isChosen: decimal === one, choices: { decimal: one } }));
}

function listEncodings({ encoding }: ReadingChoices): ChoiceOption[] {
  return [undefined, ...ENCODINGS].map((one) => {
    const label = one === undefined ? 'guess' : ENCODING_TITLES[one];
    return { label, isChosen: encoding === one, choices: { encoding: one } };
  });
}

function listTimeZones({ timeZone = 'UTC' }: ReadingChoices): ChoiceOption[] {
  const names = [...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])];
  return names.map((name) => ({ label: name, isChosen: name === timeZone, choices: { timeZone: name } }));
}

/** Describes where the fields are, as `onwhere` does on the command line. */
function describeShape(shape: FileShape | undefined): string {
  const fields = (shape?.fields ?? []).map(
    ({ role, column, note }) => `${role}: ${truncate(column ?? 'none', MAX_NAME_LENGTH)}${note && ` (${note})`}`,
  );
  return [shape?.title ?? [], fields].flat().join(', ');
}
