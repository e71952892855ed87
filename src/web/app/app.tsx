import { useEffect } from 'preact/hooks';
import { escapeUnprintable, formatInteger, formatProperty, pluralize } from '../../base/strings.ts';
import { needsReadingChoice } from '../file/reading-form.tsx';
import { SourceCard, useDrop } from '../file/source-card.tsx';
import { TABS } from '../questions/queries.ts';
import { QuestionsPage } from '../questions/questions-page.tsx';
import { BoardPage } from '../saved/board-page.tsx';
import { SavedChip } from '../saved/saved-chip.tsx';
import { addCondition } from '../shared/add-condition.ts';
import { Chip } from '../shared/chip.tsx';
import { copied, copyToClipboard } from '../shared/copy.ts';
import { HelpButton } from '../shared/help-dialog.tsx';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { PropertyList } from '../shared/property-list.tsx';
import { THEMES, theme } from '../shared/theme.ts';
import { EventList } from './event-list.tsx';
import type { PageModel, TabName } from './page-model.ts';
import { ProjectCard } from './project-card.tsx';

const ExplorePage = lazy(async () => (await import('../explore/explore-page.tsx')).ExplorePage);

/** The page. */
export function App({ page }: { readonly page: PageModel }) {
  const file = page.source.value === 'file' ? page.file.value : undefined;
  const explore = page.isExploring.value ? page.explore.value : undefined;
  const board = page.board.value;
  useDrop(page.file.value);
  useEffect(() => {
    document.title = `${page.tab.value === 'explore' ? 'Explore' : TABS[page.tab.value]} · onwhere`;
  }, [page.tab.value]);
  // The link follows the state of the page.
  const link = page.formatLink(page.tab.value);
  useEffect(() => page.link.saveSoon(), [link]);
  const catalog = explore?.client ?? page.questions.names.value;
  const isKnown = explore === undefined ? page.questions.data.value !== undefined : explore.hasEvents.value;
  return (
    <>
      <Header page={page} />
      <main>
        <aside aria-label="Data">
          {explore === undefined && <EventList page={page} />}
          {isKnown && (
            <PropertyList
              catalog={catalog}
              schema={
                (page.source.value === 'file' ? page.explore.value : undefined)?.schema.value ??
                page.questions.schema.value
              }
              actions={{
                filter: (condition) => page.edit('where', (filter) => addCondition(filter, condition)),
                group: (scope, name) => page.edit('on', () => formatProperty(scope, name)),
              }}
            />
          )}
        </aside>
        <div class="stack work">
          {file?.progress.value !== undefined && <FileProblem page={page} />}
          {board !== undefined ? (
            <BoardPage board={board} saved={page.saved} questions={page.questions} />
          ) : explore === undefined ? (
            <QuestionsPage model={page.questions} />
          ) : (
            <ExplorePage model={explore} />
          )}
        </div>
      </main>
    </>
  );
}

/** Says above everything else that a file could not be read, or not to its end. */
function FileProblem({ page }: { readonly page: PageModel }) {
  const { end, broken } = page.file.value?.progress.value ?? { end: undefined, broken: 0 };
  if (end === undefined && broken === 0) return null;
  return (
    <p role="alert" class={`banner ${end === undefined ? 'warning' : 'error'}`}>
      {end === undefined
        ? `${pluralize(broken, 'broken record')} skipped. The source above lists the first.`
        : escapeUnprintable(end)}
    </p>
  );
}

function Header({ page }: { readonly page: PageModel }) {
  const tabs = Object.entries({ explore: 'Explore', ...TABS }) as [TabName, string][];
  return (
    <header class="top">
      <h1>
        on<b>where</b>
      </h1>
      <nav aria-label="Questions">
        {tabs.map(([name, title]) => (
          <a
            key={name}
            href={`#${page.formatLink(name)}`}
            aria-current={page.board.value === undefined && page.tab.value === name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div class="row tools">
        <span class="muted" role="status" id="copied">
          {copied.value}
        </span>
        {page.source.value === 'server' && <SecretForm page={page} />}
        <SavedChip saved={page.saved} questions={page.questions} />
        <SourceChip page={page} />
        <TimeZone page={page} />
        <button
          type="button"
          class="icon-button"
          aria-label="Copy link"
          title="Copy link"
          onClick={() => {
            page.link.save();
            void copyToClipboard(location.href);
          }}
        >
          <Icon name="link" />
        </button>
        <ThemeButton />
        <HelpButton onUse={(example) => page.useFilter(example)} />
      </div>
    </header>
  );
}

function TimeZone({ page }: { readonly page: PageModel }) {
  const zone = page.questions.data.value?.project.time_zone;
  if (zone === undefined) return null;
  const place = page.source.value === 'file' ? 'Another one can be chosen under Source.' : 'The project sets it.';
  return (
    <span class="zone" title={`Days and hours are those of this time zone. ${place}`}>
      <span class="unseen">Time zone: </span>
      {zone}
    </span>
  );
}

function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Theme: ${theme.value}`}
      title={`Theme: ${theme.value}. Next: ${next}`}
      onClick={() => {
        theme.value = next;
      }}
    >
      <Icon name="theme" />
    </button>
  );
}

/** The source of the events, and the ways to change it. */
function SourceChip({ page }: { readonly page: PageModel }) {
  const isFile = page.source.value === 'file';
  const progress = page.file.value?.progress.value;
  const overview = page.questions.data.value?.overview;
  const events = isFile ? progress?.events : overview?.events.reduce((total, { count }) => total + count, 0);
  const title = isFile ? (progress?.name ?? 'a file') : 'this server';
  return (
    <Chip
      label="Source"
      openFor={isFile && progress !== undefined && needsReadingChoice(progress) ? progress : undefined}
      value={
        <>
          {escapeUnprintable(title)} {events !== undefined && <span class="muted">{formatInteger(events)} events</span>}
        </>
      }
    >
      {() => (
        <>
          {page.hasServer && (
            <label class="field">
              <span>Events of</span>
              <select
                value={page.source.value}
                onInput={({ currentTarget }) => page.changeSource(currentTarget.value === 'server' ? 'server' : 'file')}
              >
                <option value="server">this server</option>
                <option value="file">a file</option>
              </select>
            </label>
          )}
          {isFile && page.file.value !== undefined ? (
            <SourceCard source={page.file.value} />
          ) : (
            <ProjectCard model={page.questions} />
          )}
        </>
      )}
    </Chip>
  );
}

function SecretForm({ page }: { readonly page: PageModel }) {
  const problem = page.questions.problem.value;
  const error = problem?.status === 401 ? problem.message : undefined;
  const isOpen = page.secret.value === '' || error !== undefined;
  return (
    <div>
      {isOpen ? (
        <form
          class="row secret"
          onSubmit={(event) => {
            event.preventDefault();
            page.enterSecret(String(new FormData(event.currentTarget).get('secret')).trim());
          }}
        >
          <label class="muted" for="secret">
            Project secret
          </label>
          <input
            id="secret"
            name="secret"
            type="password"
            autocomplete="off"
            spellcheck={false}
            title="To share only part of a project, create a key: onwhere secret create"
            aria-invalid={error !== undefined}
            aria-describedby="error-secret"
            defaultValue={page.secret.value}
          />
          <button type="submit" class="main">
            Open
          </button>
          <p class="error" id="error-secret" role="alert">
            {error}
          </p>
        </form>
      ) : (
        <button type="button" class="quiet" onClick={() => page.enterSecret('')}>
          Sign out
        </button>
      )}
    </div>
  );
}
