import { useState } from 'preact/hooks';
import { copyToClipboard } from '../shared/copy.ts';
import type { ShellCommand } from '../shared/query-api.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { listDownloads } from './downloads.ts';
import { QUERIES } from './queries.ts';
import type { QuestionModel, ShownAnswer } from './question-model.ts';

interface FooterProps {
  readonly model: QuestionModel;
  readonly shown: ShownAnswer;
}

/** The ways to take an answer elsewhere: as a command, as SQL, and as files. */
export function AnswerFooter({ model, shown }: FooterProps) {
  const [opened, setOpened] = useState<'commands' | 'sql'>();
  const { answer, state } = shown;
  const { path } = QUERIES[state.query];
  const where = answer.parameters.get('where') ?? '';
  const toggle = (part: 'commands' | 'sql') => setOpened(opened === part ? undefined : part);
  return (
    <footer class="row answer-footer">
      <button type="button" class="quiet" aria-expanded={opened === 'commands'} onClick={() => toggle('commands')}>
        As a command
      </button>
      {where !== '' && (
        <button type="button" class="quiet" aria-expanded={opened === 'sql'} onClick={() => toggle('sql')}>
          SQL
        </button>
      )}
      <fieldset>
        <legend class="unseen">Download</legend>
        {listDownloads(answer).map(({ title, save }) => (
          <button key={title} type="button" class="quiet" onClick={() => void save()}>
            {title}
          </button>
        ))}
      </fieldset>
      {opened === 'commands' && <Texts texts={model.api.value.formatCommands(path, [...answer.parameters])} />}
      {opened === 'sql' && where !== '' && <FilterSql filter={where} />}
    </footer>
  );
}

/** The code of the dialects is loaded when someone looks at it. */
function FilterSql({ filter }: { readonly filter: string }) {
  const texts = useLoaded(async () => (await import('./filter-sql.ts')).formatFilterSql(filter), [filter]);
  return texts === undefined ? null : <Texts texts={texts} />;
}

/** Texts for a shell or a database, each with a button that copies it. */
function Texts({ texts }: { readonly texts: readonly ShellCommand[] }) {
  return (
    <div class="stack texts">
      {texts.map(({ name, title, text }) => (
        <div key={name}>
          <pre id={`command-${name}`}>{text}</pre>
          <button type="button" onClick={() => void copyToClipboard(text)}>
            Copy {title}
          </button>
        </div>
      ))}
    </div>
  );
}
