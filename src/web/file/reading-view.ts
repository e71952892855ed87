import { escapeUnprintable, formatProperty, truncate } from '../../base/strings.ts';
import type { DescribedField } from '../../data/describe-fields.ts';
import { ENCODINGS, type Encoding } from '../../data/encoding.ts';
import type { Role } from '../../data/field-mapping.ts';
import { createElement } from '../../editor/dom.ts';
import type { FileShape, LoadProgress, ReadingChoices } from '../events/messages.ts';
import { NO_CHOICES } from './served-file.ts';

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

/** Shows how the file is read, in a line, and the choices behind it. */
export class ReadingView {
  private readonly details = createElement('details', { class: 'reading' });
  private readonly line = createElement('summary');
  private readonly form = createElement('div', { class: 'choices' });
  private choices: ReadingChoices = NO_CHOICES;

  constructor(
    parent: HTMLElement,
    private readonly onChange: (choices: ReadingChoices) => void,
  ) {
    this.details.append(this.line, this.form);
    this.details.hidden = true;
    parent.append(this.details);
  }

  /** Sets the choices with which a file is read. */
  set(choices: ReadingChoices): void {
    this.choices = choices;
  }

  /** Shows how the file is read. A file that could not be read offers its encoding and delimiter. */
  show({ shape, end, done }: LoadProgress): void {
    if (!done) return;
    const isUnread = shape === undefined && end !== undefined;
    this.details.hidden = shape === undefined && !isUnread;
    this.line.textContent = escapeUnprintable(isUnread ? 'How to read the file' : describeShape(shape));
    const needsTime = shape?.fields.some(({ role, column, note }) => role === 'time' && !column && note !== '');
    if (isUnread || needsTime === true) this.details.open = true;
    const focused = this.form.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.form.replaceChildren(...this.createFields(shape), ...this.createFormat(shape), this.createTimeZone());
    // Someone who chooses by keyboard goes on from the same choice.
    if (focused !== undefined) document.getElementById(focused)?.focus();
  }

  private createFields(shape: FileShape | undefined): HTMLElement[] {
    const { flatten } = this.choices;
    const selects = (shape?.fields ?? []).map((field) => this.createFieldChoice(field, shape?.columns ?? []));
    const dotted = shape?.nested && formatProperty('properties', shape.nested.dotted);
    if (dotted === undefined && !flatten) return selects;
    const box = createElement('input', { type: 'checkbox', id: 'reading-flatten' });
    box.checked = flatten;
    box.addEventListener('change', () => this.change({ flatten: box.checked }));
    const example = dotted === undefined ? '' : `, as ${truncate(dotted, MAX_NAME_LENGTH)}`;
    const label = escapeUnprintable(` Read nested objects as properties${example}`);
    return [...selects, createElement('label', {}, box, label)];
  }

  private createFieldChoice({ role, column }: DescribedField, columns: readonly string[]): HTMLElement {
    const { [role]: chosen, ...others } = this.choices.fields;
    const guess = chosen === undefined && column !== undefined ? `guessed: ${column}` : 'guess';
    const set = (label: string, value: string | undefined): ChoiceOption => {
      const fields = { ...others, [role]: { column: value, isSet: true } };
      return { label, isChosen: chosen !== undefined && chosen.column === value, choices: { fields } };
    };
    return this.createChoice(TITLES[role], [
      { label: guess, isChosen: chosen === undefined, choices: { fields: others } },
      set('none', undefined),
      ...columns.map((name) => set(name, name)),
    ]);
  }

  private createFormat(shape: FileShape | undefined): HTMLElement[] {
    const { delimiter, encoding } = this.choices;
    const encodings = ENCODINGS.map((name) => {
      return { label: ENCODING_TITLES[name], isChosen: encoding === name, choices: { encoding: name } };
    });
    const unset = { label: 'guess', isChosen: encoding === undefined, choices: { encoding: undefined } };
    const encodingChoice = this.createChoice('Encoding', [unset, ...encodings]);
    if (shape !== undefined && shape.delimiter === undefined) return [encodingChoice];
    const offered = [...new Set([...(delimiter === undefined ? [] : [delimiter]), ...DELIMITERS.keys()])];
    const delimiters = offered.map((character) => {
      const label = DELIMITERS.get(character) ?? character;
      return { label, isChosen: delimiter === character, choices: { delimiter: character } };
    });
    const guess = { label: 'guess', isChosen: delimiter === undefined, choices: { delimiter: undefined } };
    return [this.createChoice('Delimiter', [guess, ...delimiters]), encodingChoice];
  }

  private createTimeZone(): HTMLElement {
    const { timeZone = 'UTC' } = this.choices;
    const names = [...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])];
    return this.createChoice(
      'Time zone',
      names.map((name) => ({ label: name, isChosen: name === timeZone, choices: { timeZone: name } })),
    );
  }

  private createChoice(title: string, options: readonly ChoiceOption[]): HTMLElement {
    const id = `reading-${title.toLowerCase().replace(' ', '-')}`;
    const select = createElement('select', { id });
    for (const { label, isChosen } of options) {
      const option = createElement('option', {}, escapeUnprintable(truncate(label, MAX_NAME_LENGTH)));
      option.selected = isChosen;
      select.append(option);
    }
    select.addEventListener('change', () => this.change(options[select.selectedIndex]?.choices ?? {}));
    return createElement('span', {}, createElement('label', { for: id }, title), ' ', select);
  }

  private change(choices: Partial<ReadingChoices>): void {
    this.onChange({ ...this.choices, ...choices });
  }
}

/** Describes where the fields are, as `onwhere` does on the command line. */
function describeShape(shape: FileShape | undefined): string {
  return (shape?.fields ?? [])
    .map(({ role, column, note }) => `${role}: ${truncate(column ?? 'none', MAX_NAME_LENGTH)}${note && ` (${note})`}`)
    .join(', ');
}
