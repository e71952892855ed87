import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { escapeUnprintable } from '../../base/strings.ts';
import { Icon } from './icons.tsx';

export interface ChipProps {
  /** The name of what the chip sets, for screen readers. */
  readonly label: string;
  /** The value; undefined shows a dashed chip that adds one. */
  readonly value: ComponentChildren | undefined;
  /** How the chip looks: `event` stands out. */
  readonly look?: 'event' | undefined;
  /** Removes the value. */
  readonly onRemove?: (() => void) | undefined;
  /** Opens the popover when it changes to a value. */
  readonly openFor?: unknown;
  /** The content of the popover. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** The least distance of a popover from the edge of the window, in pixels. */
const EDGE = 12;

const FOCUSABLE = 'input, select, textarea, button, onwhere-filter:defined, [tabindex="0"]';

/** A part of a sentence that opens a popover to change it. Escape and a click outside close it. */
export function Chip({ label, value, look, onRemove, openFor, children }: ChipProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (openFor !== undefined) setOpen(true);
  }, [openFor]);
  useEffect(() => {
    if (!isOpen) return;
    const shown = popover.current;
    if (shown === null) return;
    // The focus would scroll the page to what is outside.
    keepInside(shown);
    (shown.querySelector<HTMLElement>(FOCUSABLE) ?? shown).focus();
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    const leaveOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.stopPropagation();
      close();
    };
    const ended = new AbortController();
    const { signal } = ended;
    for (const event of ['pointerdown', 'focusin']) document.addEventListener(event, leave, { signal });
    root.current?.addEventListener('keydown', leaveOnEscape, { signal });
    // It grows with what it loads.
    const observer = new ResizeObserver(() => keepInside(shown));
    observer.observe(shown);
    return () => {
      ended.abort();
      observer.disconnect();
    };
  }, [isOpen]);
  const remove = () => {
    // The button that has the focus goes with the value.
    button.current?.focus();
    onRemove?.();
  };
  const isSet = value !== undefined;
  return (
    <span class={`chip${isSet ? '' : ' chip-add'}${look === undefined ? '' : ` chip-${look}`}`} ref={root}>
      <button
        type="button"
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={isSet ? undefined : `Add: ${label}`}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {isSet ? (
          <>
            <span class="unseen">{label}: </span>
            <bdi>{typeof value === 'string' ? escapeUnprintable(value) : value}</bdi>
          </>
        ) : (
          <>
            <Icon name="plus" />
            {label.toLowerCase()}
          </>
        )}
        {isSet && onRemove === undefined && <Icon name="chevron" />}
      </button>
      {isSet && onRemove !== undefined && (
        <button type="button" class="chip-remove" aria-label={`Remove: ${label}`} onClick={remove}>
          <Icon name="close" />
        </button>
      )}
      {isOpen && (
        <div class="stack popover" role="dialog" aria-label={label} tabIndex={-1} ref={popover}>
          {children(close)}
        </div>
      )}
    </span>
  );
}

/** Moves a popover to the left, until it is inside of the window. */
function keepInside(popover: HTMLElement): void {
  popover.style.translate = '';
  const { left, right } = popover.getBoundingClientRect();
  const hidden = Math.max(0, Math.min(left, right + EDGE - document.documentElement.clientWidth));
  popover.style.translate = `${-hidden}px`;
}
