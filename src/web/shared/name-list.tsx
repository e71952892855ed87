import { useEffect, useRef, useState } from 'preact/hooks';
import { escapeUnprintable } from '../../base/strings.ts';
import { Chip, type ChipProps } from './chip.tsx';
import { takeFocus } from './take-focus.ts';

/** An entry of a list to choose from. */
interface ListedName {
  readonly value: string;
  /** Shown instead of the value. */
  readonly label?: string;
  /** Shown beside it. */
  readonly note?: string;
}

interface NameListProps {
  readonly label: string;
  readonly names: readonly ListedName[];
  readonly chosen?: string | undefined;
  /** Whether a name that is not listed may be typed. */
  readonly isOpen?: boolean;
  readonly onChoose: (value: string) => void;
}

/** A chip that sets a name from a list. */
export function NameChip({ value, look, ...list }: Pick<ChipProps, 'value' | 'look'> & NameListProps) {
  return (
    <Chip label={list.label} value={value} look={look}>
      {(close) => (
        <NameList
          {...list}
          onChoose={(name) => {
            list.onChoose(name);
            close();
          }}
        />
      )}
    </Chip>
  );
}

const STOPS = 'input, button';

/** More are found by typing a part of their name. */
const MAX_SHOWN = 60;

/** A list of names with a search field. The arrow keys move in it, and Enter chooses. */
export function NameList({ label, names, chosen, isOpen = false, onChoose }: NameListProps) {
  const [search, setSearch] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const hasNames = names.length > 0;
  useEffect(() => {
    if (root.current !== null) takeFocus(root.current, root.current.querySelector<HTMLElement>(STOPS));
  }, [hasNames]);
  const wanted = search.trim().toLowerCase();
  const found = names.filter(({ value, label: shown = value }) => shown.toLowerCase().includes(wanted));
  const isNew = isOpen && search.trim() !== '' && !names.some(({ value }) => value === search.trim());
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...(root.current?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
    stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <div class="names" ref={root}>
      {(names.length > 8 || isOpen) && (
        <input
          type="search"
          placeholder="Search"
          aria-label={`Search: ${label}`}
          autocomplete="off"
          spellcheck={false}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          onKeyDown={(event) => {
            move(event);
            if (event.key !== 'Enter') return;
            event.preventDefault();
            const exact = found.find(({ value }) => value.toLowerCase() === wanted);
            const [first] = isNew ? [] : found;
            const value =
              exact?.value ??
              (isOpen && search.trim() !== '' && exact === undefined && isNew ? search.trim() : first?.value);
            if (value !== undefined) onChoose(value);
          }}
        />
      )}
      <ul>
        {found.slice(0, MAX_SHOWN).map(({ value, label: shown = value, note }) => (
          <li key={value}>
            <button type="button" aria-pressed={value === chosen} onKeyDown={move} onClick={() => onChoose(value)}>
              <bdi>{escapeUnprintable(shown)}</bdi>
              {note !== undefined && <span class="names-note">{note}</span>}
            </button>
          </li>
        ))}
        {isNew && (
          <li>
            <button type="button" onKeyDown={move} onClick={() => onChoose(search.trim())}>
              Use <bdi>“{escapeUnprintable(search.trim())}”</bdi>
            </button>
          </li>
        )}
      </ul>
      {found.length === 0 && !isNew && <p class="hint">Nothing found.</p>}
      {found.length > MAX_SHOWN && <p class="hint">Type to find the others.</p>}
    </div>
  );
}
