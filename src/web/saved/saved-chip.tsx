import { useRef, useState } from 'preact/hooks';
import { escapeUnprintable, pluralize } from '../../base/strings.ts';
import { describeQuestion } from '../questions/describe-question.ts';
import type { QuestionModel } from '../questions/question-model.ts';
import { formatQuestionLink } from '../questions/state.ts';
import { Chip } from '../shared/chip.tsx';
import { Icon } from '../shared/icons.tsx';
import { saveFile } from '../shared/save-file.ts';
import { formatBoardLink, formatQuestions, parseQuestions, type SavedQuestions } from './saved-questions.ts';

interface SavedProps {
  readonly saved: SavedQuestions;
  readonly questions: QuestionModel;
}

/** Lists the saved questions, and saves the current one. */
export function SavedChip({ saved, questions }: SavedProps) {
  const { name, link } = saved.list.value.find((one) => one.name === saved.opened.value) ?? {};
  const isChanged = link !== undefined && link !== formatQuestionLink(questions.state.value);
  return (
    <Chip
      label="Saved questions"
      value={
        <>
          {escapeUnprintable(name ?? 'Saved')} {isChanged && <span class="muted">changed</span>}
        </>
      }
    >
      {(close) => <SavedList saved={saved} questions={questions} close={close} />}
    </Chip>
  );
}

function SavedList({ saved, questions, close }: SavedProps & { readonly close: () => void }) {
  const [name, setName] = useState(() => saved.opened.value || describeQuestion(questions.shown.value));
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = saved.list.value;
  const importFile = async (file: File | undefined) => {
    const read = file && parseQuestions(await file.text());
    setProblem(read === undefined ? 'This file has no saved questions. Export some to see its form.' : '');
    if (read !== undefined) saved.add(read);
  };
  return (
    <>
      <form
        class="row save"
        onSubmit={(event) => {
          event.preventDefault();
          const given = name.trim() || describeQuestion(questions.shown.value);
          saved.save({ name: given, link: formatQuestionLink(questions.state.value) });
        }}
      >
        <input
          aria-label="Name of the question"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="main">
          {list.some((question) => question.name === name.trim()) ? 'Replace' : 'Save'}
        </button>
      </form>
      {list.length === 0 ? (
        <p class="hint">Saved questions stay in this browser.</p>
      ) : (
        <ul class="saved">
          {list.map((question) => (
            <li key={question.name}>
              <a href={`#${question.link}`} onClick={close}>
                <bdi>{escapeUnprintable(question.name)}</bdi>
              </a>
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove: ${question.name}`}
                onClick={() => saved.remove(question.name)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <SavedNote saved={saved} />
      <p class="row">
        {list.length > 0 && (
          <a class="button" href={`#${formatBoardLink(list)}`} onClick={close}>
            Board of {pluralize(list.length, 'question')}
          </a>
        )}
        {list.length > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => saveFile('questions.json', new Blob([formatQuestions(list)], { type: 'application/json' }))}
          >
            Export
          </button>
        )}
        <button type="button" class="quiet" onClick={() => input.current?.click()}>
          Import
        </button>
        <input
          ref={input}
          type="file"
          accept=".json"
          aria-label="File with questions"
          hidden
          onChange={({ currentTarget }) => void importFile(currentTarget.files?.[0])}
        />
      </p>
      {problem !== '' && <p class="error">{problem}</p>}
    </>
  );
}

/** Says what the last change of the saved questions did, and takes it back. */
export function SavedNote({ saved }: { readonly saved: SavedQuestions }) {
  return (
    <p class="hint" role="status">
      {saved.note.value}{' '}
      {saved.before.value !== undefined && (
        <button type="button" class="link" onClick={() => saved.undo()}>
          Undo
        </button>
      )}
    </p>
  );
}
