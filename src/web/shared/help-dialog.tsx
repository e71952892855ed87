import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { OPERATORS } from '../../lang/operators/table.ts';
import { Icon } from './icons.tsx';

const SHORTCUTS: readonly (readonly [keys: string, action: string])[] = [
  ['Ctrl-K', 'Search the properties'],
  ['Ctrl-Space', 'Complete a name, a value or an operator'],
  ['Tab', 'Accept a completion'],
  ['Shift-Alt-F', 'Format an expression'],
  ['Ctrl-Z', 'Undo'],
  ['?', 'Show this help, outside of fields'],
];

/** Filters that show what the language can say. */
export const EXAMPLES: readonly (readonly [source: string, meaning: string])[] = [
  ['properties["plan"] == "pro"', 'a property has a value'],
  ['user["country"] in ["DE", "FR"]', 'a property of the user has one of several values'],
  ['"gmail" in properties["email"]', 'a string contains another'],
  ['number(properties["amount"]) > 100', 'a string is read as a number'],
  ['not defined(properties["coupon"])', 'a property is missing'],
  ['properties["created"] > datetime("2025-06-01")', 'a time is after another'],
];

/** The button that opens the help of the language. The key `?` does too. `onUse` takes an example as the filter. */
export function HelpButton({ onUse }: { readonly onUse: (example: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && !isEditable(event.composedPath()[0])) dialog.current?.showModal();
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Help"
        title="Help (?)"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="help" />
      </button>
      <dialog class="help" aria-label="Help" ref={dialog}>
        <button type="button" class="icon-button close" aria-label="Close help" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
        <Terms title="Examples">
          {EXAMPLES.map(([source, meaning]) => (
            <Term key={source} text={meaning}>
              <button
                type="button"
                class="link"
                title="Use this filter"
                onClick={() => {
                  dialog.current?.close();
                  onUse(source);
                }}
              >
                <code>{source}</code>
              </button>
            </Term>
          ))}
        </Terms>
        <Terms title="Operators and functions">
          {OPERATORS.map(({ name, summary }) => (
            <Term key={name} text={summary.replaceAll('`', '')}>
              <code>{name}</code>
            </Term>
          ))}
        </Terms>
        <Terms title="Keys">
          {SHORTCUTS.map(([keys, action]) => (
            <Term key={keys} text={action}>
              <code>{keys}</code>
            </Term>
          ))}
        </Terms>
      </dialog>
    </>
  );
}

function Terms({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <h2>{title}</h2>
      <dl>{children}</dl>
    </>
  );
}

function Term({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{children}</dt>
      <dd>{text}</dd>
    </>
  );
}

/** Returns whether keys that are pressed there are text. */
function isEditable(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
