import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { escapeUnprintable } from '../../base/strings.ts';
import type { AnswerActions, UserSelection } from './answer.ts';
import { formatChange, formatPercent } from './numbers.ts';

/** The most important number of an answer. */
export interface HeadlineNumber {
  readonly number: string;
  /** Completes the number to a phrase. */
  readonly words: ComponentChildren;
  /** The change since the period before. */
  readonly delta?: { readonly text: string; readonly isGood: boolean | undefined } | undefined;
}

/** Compares two numbers of two periods. `since` names the one before. */
export function createDelta(
  now: number | undefined,
  before: number | undefined,
  since: string,
): HeadlineNumber['delta'] {
  if (now === undefined || before === undefined) return undefined;
  return { text: `${formatChange(now, before)} on ${since}`, isGood: now === before ? undefined : now > before };
}

/** The head of an answer, with a note aligned right. */
export function Headline({ number, words, delta, note }: HeadlineNumber & { readonly note?: ComponentChildren }) {
  return (
    <header class="card-head">
      <h2>
        <strong class="headline-number">{number}</strong> <span>{words}</span>
      </h2>
      {delta !== undefined && <Delta {...delta} />}
      {note !== undefined && <span class="headline-note">{note}</span>}
    </header>
  );
}

/** A change, in the colour of good or bad news. */
export function Delta({ text, isGood }: NonNullable<HeadlineNumber['delta']>) {
  return <span class={isGood === undefined ? 'delta' : isGood ? 'delta delta-good' : 'delta delta-bad'}>{text}</span>;
}

/** Said instead of an empty picture. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="nothing">
      <svg width="72" height="48" viewBox="0 0 72 48" aria-hidden="true">
        <path d="M4 44H68M12 44V34h8V44M28 44V24h8V44M44 44V30h8V44" />
        <path class="nothing-line" d="M4 26 20 18 36 10 52 14 68 4" />
      </svg>
      <p>{children}</p>
    </div>
  );
}

/** A region that scrolls, also with the keyboard. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Content that is shown on request, and only then created. */
export function Disclosure({ title, children }: { readonly title: string; readonly children: () => JSX.Element }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}

/** A swatch in the colour of a line, if it is drawn. */
export function Swatch({ line, drawn }: { readonly line: number; readonly drawn: number }) {
  return <i class={line < drawn ? `swatch series-${line + 1}` : 'swatch'} />;
}

/** The name of a segment. It filters by the segment, or with the Alt key by all others. */
export function SegmentName({
  name,
  filter,
}: {
  readonly name: string;
  readonly filter: AnswerActions['filterBySegment'];
}) {
  const shown = <bdi>{escapeUnprintable(name)}</bdi>;
  if (filter === undefined) return shown;
  return (
    <button
      type="button"
      class="link"
      title="Filter by this; with Alt, by all others"
      onClick={({ altKey }) => filter(name, altKey)}
    >
      {shown}
    </button>
  );
}

/** A number of users. It shows them, if the data can name them. */
export function UsersNumber({
  users,
  open,
  label,
  children,
}: {
  readonly users: UserSelection;
  readonly open: AnswerActions['openUsers'];
  /** Says who they are. */
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  if (open === undefined) return <>{children}</>;
  return (
    <button type="button" class="users" title={label} onClick={() => open(users)}>
      {children}
      <span class="unseen"> {label}</span>
    </button>
  );
}

/** A cell with a bar: its length is a part of the longest, in the colour of a line. */
export function BarCell({
  part,
  longest,
  line,
  children,
}: {
  readonly part: number;
  readonly longest: number;
  readonly line: number;
  readonly children: ComponentChildren;
}) {
  const width = longest > 0 ? Math.max(0, part / longest) : 0;
  return (
    <td class="number bar-cell">
      <i class={`bar series-${line + 1}`} style={{ '--part': width.toFixed(4) }} />
      <span>{children}</span>
    </td>
  );
}

/** Formats a share of a table. */
export function formatShareOf(part: number, whole: number): string {
  return formatPercent(part, whole, 1);
}

/** A choice among values, hidden if there is only one. */
export function SegmentChoice({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  if (choices.length < 2) return null;
  return (
    <label class="choice">
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {escapeUnprintable(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
