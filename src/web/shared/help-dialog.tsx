import { Fragment } from 'preact';
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
  const use = (example: string) => {
    dialog.current?.close();
    onUse(example);
  };
  const sections = [
    ['Examples', EXAMPLES],
    ['Operators and functions', OPERATORS.map(({ name, summary }) => [name, summary.replaceAll('`', '')] as const)],
    ['Keys', SHORTCUTS],
  ] as const;
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
        {sections.map(([title, terms]) => (
          <Fragment key={title}>
            <h2>{title}</h2>
            <dl>
              {terms.map(([term, meaning]) => (
                <Fragment key={term}>
                  <dt>{title === 'Examples' ? <Example source={term} onUse={use} /> : <code>{term}</code>}</dt>
                  <dd>{meaning}</dd>
                </Fragment>
              ))}
            </dl>
          </Fragment>
        ))}
      </dialog>
    </>
  );
}

interface ExampleProps {
  readonly source: string;
  readonly onUse: (source: string) => void;
}

function Example({ source, onUse }: ExampleProps) {
  return (
    <button type="button" class="link" title="Use this filter" onClick={() => onUse(source)}>
      <code>{source}</code>
    </button>
  );
}

/** Returns whether keys that are pressed there are text. */
function isEditable(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
