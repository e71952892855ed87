import { escapeUnprintable, formatInteger, pluralize } from '../../base/strings.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { Nothing } from '../answers/parts.tsx';
import type { EventsResult, QueryFailure } from '../events/messages.ts';
import { FilterBar } from '../shared/filter-bar.tsx';
import { GroupChip } from '../shared/group-chip.tsx';
import { formatShare } from '../shared/page-link.ts';
import { CountsView } from './counts-view.tsx';
import { EventsTable } from './events-table.tsx';
import type { ExploreModel } from './explore-model.ts';
import { ExpressionTrees } from './expression-trees.tsx';
import { SegmentsTable } from './segments-table.tsx';
import { VIEWS } from './state.ts';

const TITLES: Readonly<Record<(typeof VIEWS)[number], string>> = {
  events: 'Events',
  segments: 'Segments',
  tree: 'Tree',
};

/** The events that a filter selects, and why. */
export function ExplorePage({ model }: { readonly model: ExploreModel }) {
  const { where, on } = model.state.value;
  const result = model.result.value;
  return (
    <>
      <div class="stack">
        <fieldset class="row ask" aria-label="Question">
          <span>{on === '' ? 'Events' : 'Events by'}</span>
          <GroupChip
            label="By"
            value={on}
            schema={model.schema.value}
            timeZone={model.client.timeZone}
            notes={model.findNotes('on')}
            onChange={(source) => model.change({ on: source })}
          />
        </fieldset>
        <FilterBar
          value={where}
          schema={model.schema.value}
          catalog={model.client}
          timeZone={model.client.timeZone}
          notes={model.findNotes('where')}
          onChange={(source) => model.change({ where: source })}
        />
      </div>
      {model.note.value !== '' && <p class="hint">{model.note.value}</p>}
      <article class="stack card explore" data-stale={!model.canRun.value}>
        <div id="summary" role="status">
          {result !== undefined && <Summary model={model} result={result} />}
          {result === undefined && model.canRun.value && <p class="hint">Loading …</p>}
          {!model.canRun.value && (
            <p class="hint">
              {result === undefined
                ? 'Query failed: see the error in the question.'
                : 'Showing results of your last valid query.'}
            </p>
          )}
          {model.notice.value !== '' && <p class="hint">{model.notice.value}</p>}
        </div>
        {result !== undefined && result.events > 0 && <CountsView model={model} result={result} />}
        {result?.events !== 0 && <Results model={model} result={result} />}
      </article>
    </>
  );
}

/** The results, each on a tab. */
function Results({ model, result }: { readonly model: ExploreModel; readonly result: EventsResult | undefined }) {
  const { view } = model.state.value;
  return (
    <>
      <div role="tablist" aria-label="Results" onKeyDown={(event) => moveTab(event, model)}>
        {VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls={`panel-${name}`}
            aria-selected={name === view}
            tabIndex={name === view ? 0 : -1}
            onClick={() => model.change({ view: name })}
          >
            {TITLES[name]}
          </button>
        ))}
      </div>
      <div class="stack" role="tabpanel" id={`panel-${view}`} aria-labelledby={`tab-${view}`}>
        {view === 'events' && result !== undefined && <EventsTable model={model} result={result} />}
        {view === 'segments' && result !== undefined && <SegmentsTable model={model} result={result} />}
        {view === 'tree' && <ExpressionTrees model={model} />}
      </div>
    </>
  );
}

/** Follows the ARIA Authoring Practices: arrows, Home and End move between tabs. */
function moveTab(event: KeyboardEvent, model: ExploreModel): void {
  const at = VIEWS.indexOf(model.state.value.view);
  const targets: Readonly<Record<string, number>> = {
    Home: 0,
    End: VIEWS.length - 1,
    ArrowRight: (at + 1) % VIEWS.length,
    ArrowLeft: (at + VIEWS.length - 1) % VIEWS.length,
  };
  const view = VIEWS[targets[event.key] ?? -1];
  if (view === undefined) return;
  event.preventDefault();
  model.change({ view });
  document.getElementById(`tab-${view}`)?.focus();
}

function Summary({ model, result }: { readonly model: ExploreModel; readonly result: EventsResult }) {
  const { events, matching, users, failure } = result;
  if (failure !== undefined) return <Failure model={model} failure={failure} />;
  if (events === 0) return <Nothing>There are no events. Open another file under Source, or import some.</Nothing>;
  return (
    <p class="row explore-head">
      <strong>{formatInteger(matching)}</strong>
      <span>
        of {pluralize(events, 'event')} {matching === 1 ? 'matches' : 'match'}
        {events > 0 && ` (${formatShare(matching, events)})`}
        {users > 0 && ` from ${pluralize(users, 'user')}`}
      </span>
    </p>
  );
}

function Failure({ model, failure }: { readonly model: ExploreModel; readonly failure: QueryFailure }) {
  const { index, part, source, operator, found, span } = failure;
  const [diagnostic] = new ExpressionTypeError(source, operator, found, span).diagnostics;
  return (
    <div class="error">
      <p>Query failed: “{part === 'where' ? 'Filter' : 'Group by'}” raised a type error on an event.</p>
      <p>{escapeUnprintable(`${diagnostic?.message ?? ''} ${diagnostic?.help ?? ''}`)}</p>
      <button type="button" onClick={() => void model.openEvent(index)}>
        Show event #{index + 1}
      </button>
    </div>
  );
}
