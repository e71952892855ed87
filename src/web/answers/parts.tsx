import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { AnswerActions, UserSelection } from './answer.ts';

/** More rows make a page slow; a downloaded file has all of them. */
const MAX_ROWS = 1_000;

/** The dash patterns that tell lines apart without their colours, for those who prefer more contrast. */
const DASHES = ['none', '7 4', '2 4', '11 4 2 4', '4 2', '14 5'];

/** Returns the style of what belongs to a line: the first ones have a colour each. */
export function getLineStyle(line: number) {
  return DASHES[line] === undefined ? {} : { '--series': `var(--line-${line + 1})`, '--dash': DASHES[line] };
}

/** A name from the data. */
export function Name({ text }: { readonly text: string }) {
  return <bdi>{escapeUnprintable(text)}</bdi>;
}

interface HeadlineProps {
  readonly number: ComponentChildren;
  /** Completes the number to a phrase. */
  readonly words: ComponentChildren;
  /** The change since the period before. */
  readonly delta?: string | undefined;
  readonly note?: string | undefined;
}

/** The most important number of an answer, with a note aligned right. */
export function Headline({ number, words, delta, note }: HeadlineProps) {
  return (
    <header class="row card-head">
      <h2>
        <strong class="headline-number">{number}</strong> {words}
      </h2>
      {delta !== undefined && <Delta text={delta} />}
      {note !== undefined && <span class="headline-note">{note}</span>}
    </header>
  );
}

/** A change, such as `+8.2 %`, in the colour of good or bad news. */
export function Delta({ text }: { readonly text: string }) {
  return <span class={`delta ${{ '+': 'delta-good', '−': 'delta-bad' }[text[0] ?? ''] ?? ''}`}>{text}</span>;
}

/** Said instead of an empty picture, with what may help. */
export function Nothing({ children }: { readonly children: string }) {
  return (
    <div class="nothing">
      <svg width="72" height="48" aria-hidden="true">
        <path d="M4 44H68M12 44V34h8V44M28 44V24h8V44M44 44V30h8V44" />
        <path class="nothing-line" d="M4 26 20 18 36 10 52 14 68 4" />
      </svg>
      <p>{children}</p>
    </div>
  );
}

interface GridProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly kind?: 'numbers' | 'texts' | 'cohorts';
}

/** A table that scrolls, also with the keyboard. */
export function Grid({ label, columns, rows, kind = 'numbers' }: GridProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <section class="grid-scroll" tabIndex={0} aria-label={label}>
      <table class={`grid grid-${kind}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map((title, at) =>
              title === '' ? (
                <td key={at} />
              ) : (
                <th key={at} scope="col">
                  <Name text={title} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map(([head, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{head}</th>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p class="muted">{`The first ${formatInteger(MAX_ROWS)} of ${formatInteger(rows.length)}.`}</p>
      )}
    </section>
  );
}

/** A number beside a bar, whose length is a part of the longest. */
export function Bar({
  part,
  line,
  children,
}: {
  readonly part: number;
  readonly line: number;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class="bar-cell">
      <i class="bar" style={{ ...getLineStyle(line), '--part': Math.max(0, part) || 0 }} />
      {children !== undefined && <span>{children}</span>}
    </span>
  );
}

/** Content that is created when it is asked for. */
export function Disclosure({ title, children }: { readonly title: string; readonly children: () => JSX.Element }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}

interface SegmentNameProps {
  readonly name: string;
  /** The line of the segment. */
  readonly line: number;
  readonly filter: AnswerActions['filterBySegment'];
}

/** The name of a segment. It filters by the segment or, with the Alt key, by all others. */
export function SegmentName({ name, line, filter }: SegmentNameProps) {
  const title = 'Filter by this; with Alt, by all others';
  return (
    <>
      <i class="swatch" style={getLineStyle(line)} />
      {filter === undefined ? (
        <Name text={name} />
      ) : (
        <button type="button" class="link" title={title} onClick={({ altKey }) => filter(name, altKey)}>
          <Name text={name} />
        </button>
      )}
    </>
  );
}

interface UsersProps {
  readonly of: UserSelection;
  readonly open: AnswerActions['openUsers'];
  readonly children: ComponentChildren;
}

/** A number of users. It shows them, if the data can name them. */
export function Users({ of, open, children }: UsersProps) {
  if (open === undefined) return <>{children}</>;
  return (
    <button type="button" class="link" title="Show these users" onClick={() => open(of)}>
      {children}
    </button>
  );
}
