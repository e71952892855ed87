import { escapeUnprintable, pluralize } from '../../base/strings.ts';
import { MAX_NUMERIC_DAYS } from '../../queries/endpoints/segmentation.ts';
import { AnswerView } from '../answers/answer-view.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { lazy } from '../shared/lazy.tsx';
import { readGroupedProperty } from '../shared/segment-condition.ts';
import { AnswerFooter } from './answer-footer.tsx';
import { shortenDates } from './fill-defaults.ts';
import { QuestionLine } from './line/question-line.tsx';
import { findField } from './queries.ts';
import type { QuestionModel, ShownAnswer } from './question-model.ts';
import { getNamedValue } from './state.ts';
import { describeUsers } from './user-selection.ts';

const UsersPanel = lazy(async () => (await import('./users-panel.tsx')).UsersPanel);

interface QuestionsPageProps {
  readonly model: QuestionModel;
}

/** A question and its answer. */
export function QuestionsPage({ model }: QuestionsPageProps) {
  const state = model.shown.value;
  const hasFilter = findField(state.query, 'where') !== undefined;
  const where = getNamedValue(state, 'where');
  const shown = model.answer.value;
  const opened = model.opened.value;
  return (
    <>
      <div class="stack">
        <QuestionLine model={model} />
        {hasFilter && (
          <FilterBar
            value={where}
            schema={model.schema.value}
            catalog={model.names.value}
            onChange={(source) => model.set({ where: source })}
          />
        )}
        {shown?.change !== undefined && <p class="hint">{shown.change}</p>}
      </div>
      <Status model={model} />
      {opened !== undefined && <UsersPanel key={JSON.stringify(opened)} model={model} opened={opened} />}
      {shown !== undefined && opened === undefined && <ShownAnswerCard model={model} shown={shown} />}
    </>
  );
}

/** Says in words what happens with the question, for everybody. */
function Status({ model }: { readonly model: QuestionModel }) {
  const { problem, obstacle, notice, answer, isRunning, data } = model;
  const warnings = answer.value?.answer.warnings ?? [];
  const isEmpty = data.value !== undefined && data.value.overview.events.length === 0;
  // An error belongs to the question before, if this one cannot be asked.
  const error = obstacle.value === undefined ? problem.value : undefined;
  const latest = shortenDates(model.shown.value);
  const message = notice.value === '' ? obstacle.value : notice.value;
  const isUnknown = data.value === undefined && model.api.value.obstacle === undefined && problem.value === undefined;
  const isLoading = isUnknown || (isRunning.value && answer.value === undefined);
  // The page would be blank without an answer.
  const isAlone = answer.value === undefined && error === undefined && (isLoading || isEmpty || message !== undefined);
  return (
    <>
      <p class={isAlone ? 'card hint alone' : 'hint'} role="status" id="status">
        {isLoading ? 'Loading …' : isEmpty ? model.api.value.emptyHint : message}{' '}
        {latest !== undefined && (
          <button type="button" onClick={() => model.set({ from_date: latest })}>
            Show the last {MAX_NUMERIC_DAYS} days
          </button>
        )}
      </p>
      <p class="error" role="alert" id="failure">
        {error === undefined || error.status === 401 ? '' : escapeUnprintable(error.message)}
      </p>
      {warnings.length > 0 && (
        <ul class="warnings" role="status">
          {warnings.map((warning) => (
            <li key={warning} class="warning">
              {escapeUnprintable(warning)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ShownAnswerCard({ model, shown }: { readonly model: QuestionModel; readonly shown: ShownAnswer }) {
  const { answer, state, milliseconds } = shown;
  const isProperty = readGroupedProperty(getNamedValue(state, 'on')) !== undefined;
  const events = model.data.value?.overview.events.reduce((total, { count }) => total + count, 0) ?? 0;
  return (
    <section id="result" aria-label="Answer" aria-busy={model.isRunning.value} data-stale={model.isStale.value}>
      <AnswerView
        answer={answer}
        note={`${Math.round(milliseconds)} ms · ${pluralize(events, 'event')}`}
        actions={{
          filterBySegment: isProperty ? (name, excluded) => void model.filterBySegment(name, excluded) : undefined,
          zoom: (from, to) => model.zoom(from, to),
          annotate: (annotation) => void model.annotate(annotation),
          loadPage: (page) => void model.run(page),
          openUsers: (selection) => model.open({ kind: 'users', title: describeUsers(selection, state), selection }),
          openUser: (id) => model.open({ kind: 'user', id }),
        }}
      >
        <AnswerFooter model={model} shown={shown} />
      </AnswerView>
    </section>
  );
}
