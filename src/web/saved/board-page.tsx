import { escapeUnprintable, pluralize } from '../../base/strings.ts';
import { AnswerView } from '../answers/answer-view.tsx';
import { askQuery } from '../questions/ask-query.ts';
import { fillDefaults } from '../questions/fill-defaults.ts';
import type { QuestionModel } from '../questions/question-model.ts';
import { followLink, NEW_QUESTION } from '../questions/state.ts';
import { catchApiError } from '../shared/catch-api-error.ts';
import { ApiError } from '../shared/query-api.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { SavedNote } from './saved-chip.tsx';
import type { SavedQuestion, SavedQuestions } from './saved-questions.ts';

interface BoardProps {
  /** Those of the link, which may be somebody else's. */
  readonly board: readonly SavedQuestion[];
  readonly saved: SavedQuestions;
  readonly questions: QuestionModel;
}

/** The answers to several questions, side by side. */
export function BoardPage({ board, saved, questions }: BoardProps) {
  const known = new Map(saved.list.value.map(({ name, link }) => [name, link]));
  const others = board.filter(({ name, link }) => known.get(name) !== link);
  const replaced = others.filter(({ name }) => known.has(name)).length;
  return (
    <>
      {others.length > 0 && (
        <p class="hint">
          This board comes from a link.{' '}
          <button type="button" class="link" onClick={() => saved.add(others)}>
            Keep its questions in this browser
          </button>
          {replaced > 0 && `, and replace ${pluralize(replaced, 'question')} of the same name.`}
        </p>
      )}
      <SavedNote saved={saved} />
      {board.length === 0 && <p class="hint">This board has no questions. Save some first.</p>}
      <div class="board">
        {board.map((question) => (
          <BoardCard key={`${question.name} ${question.link}`} question={question} questions={questions} />
        ))}
      </div>
    </>
  );
}

interface CardProps {
  readonly question: SavedQuestion;
  readonly questions: QuestionModel;
}

function BoardCard({ question: { name, link }, questions }: CardProps) {
  const [api, data] = [questions.api.value, questions.data.value];
  const answer = useLoaded(() => {
    if (data === undefined) return undefined;
    const state = fillDefaults(followLink(NEW_QUESTION, link), data);
    return catchApiError(askQuery(api, state, data.overview.to_date ?? '', [], new AbortController().signal));
  }, [api, data, link]);
  return (
    <section class="stack" aria-label={name}>
      <h2>
        <a href={`#${link}`}>
          <bdi>{escapeUnprintable(name)}</bdi>
        </a>
      </h2>
      {answer === undefined && <p class="hint">Loading …</p>}
      {answer instanceof ApiError && <p class="error">{answer.message}</p>}
      {answer !== undefined && !(answer instanceof ApiError) && <AnswerView answer={answer} actions={{}} />}
    </section>
  );
}
