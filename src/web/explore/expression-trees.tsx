import { explain, trace } from '../../api/explain.ts';
import { escapeUnprintable, pluralize, truncate } from '../../base/strings.ts';
import type { Explained } from '../../lang/explain/explain-tree.ts';
import type { Traced } from '../../lang/explain/trace-tree.ts';
import { why } from '../../lang/explain/why.ts';
import { showTypes } from '../../lang/types.ts';
import { showValue } from '../../lang/value.ts';
import type { EventRow } from '../events/messages.ts';
import { type ExploreModel, PART_LABELS, PARTS, type Part } from './explore-model.ts';

/** Limits in characters: of code, of a value, and of the event as JSON. */
const MAX_CODE_WIDTH = 160;
const MAX_VALUE_WIDTH = 60;
const MAX_EVENT_LENGTH = 20_000;

/** Expressions as trees, with the type of each part. For a selected event, with values and reasons. */
export function ExpressionTrees({ model }: { readonly model: ExploreModel }) {
  const row = model.selected.value;
  // A text with a syntax error has no tree.
  const shown = PARTS.filter((part) => model.checks.value[part].types.length > 0);
  return (
    <>
      {row === undefined ? (
        <p class="hint">Select an event on the Events tab to see the value of each part.</p>
      ) : (
        <EventDetails row={row} />
      )}
      {shown.map((part) => (
        <section key={part}>
          <h3>{PART_LABELS[part]}</h3>
          {row === undefined ? (
            <ExplainedTree model={model} part={part} />
          ) : (
            <TracedTree model={model} part={part} row={row} />
          )}
        </section>
      ))}
    </>
  );
}

function EventDetails({ row: { index, line, event, time, properties, user } }: { readonly row: EventRow }) {
  const json = JSON.stringify({ event, time, properties, user }, undefined, 2);
  return (
    <details class="event">
      <summary>
        On event #{index + 1}, line {line}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard. */}
      <pre tabIndex={0}>
        {json
          .split('\n')
          .map((text) => escapeUnprintable(text))
          .join('\n')
          .slice(0, MAX_EVENT_LENGTH)}
      </pre>
    </details>
  );
}

interface TreeProps {
  readonly model: ExploreModel;
  readonly part: Part;
}

function ExplainedTree({ model, part }: TreeProps) {
  const { tree, cost } = explain(model.state.value[part], model.options(part));
  const { reads, operations, scans } = cost;
  const work = `${pluralize(reads, 'read')}, ${pluralize(operations, 'operation')} and ${pluralize(scans, 'scan')}`;
  return (
    <>
      <p class="hint">At most {work} per event.</p>
      <ul class="tree">
        <Node shown={tree} />
      </ul>
    </>
  );
}

function TracedTree({ model, part, row }: TreeProps & { readonly row: EventRow }) {
  const { now, timeZone } = model.result.value?.query ?? { now: 0, timeZone: model.client.timeZone };
  const tree = trace(model.state.value[part], row.properties, row.user, { ...model.options(part), now, timeZone });
  return (
    <>
      <ul class="reasons">
        {why(tree).map(({ message }) => (
          <li key={message}>{escapeUnprintable(message)}</li>
        ))}
      </ul>
      <ul class="tree">
        <Node shown={tree} />
      </ul>
    </>
  );
}

function Node({ shown }: { readonly shown: Explained | Traced }) {
  const { code, types, children, kind } = shown;
  // The items of a list literal are already in its code.
  const below = kind === 'membership' ? children.slice(0, 1) : children;
  return (
    <li>
      <code>{escapeUnprintable(truncate(code, MAX_CODE_WIDTH))}</code> <Outcome shown={shown} />{' '}
      <span class="hint">{showTypes(types)}</span>
      {below.length > 0 && (
        <ul>
          {below.map((child, at) => (
            <Node key={at} shown={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The value of a part: nothing for literals and when no event is selected. */
function Outcome({ shown }: { readonly shown: Explained | Traced }) {
  if (shown.kind === 'literal') return null;
  if ('error' in shown && shown.error !== undefined) return <span class="value error">fails</span>;
  if ('missing' in shown && shown.missing) return <span class="value">missing</span>;
  return 'value' in shown ? (
    <span class="value">{escapeUnprintable(truncate(showValue(shown.value), MAX_VALUE_WIDTH))}</span>
  ) : null;
}
