import { createElement, getById } from '../shared/dom.ts';
import { PageLink } from '../shared/page-link.ts';
import { AnswerPanel } from './answer-panel.ts';
import { ApiError, ConsoleApi, formatCurlCommand, type RequestParameters } from './api.ts';
import { KnownNames } from './known-names.ts';
import { type ConsoleQuery, type ConsoleQueryName, QUERIES } from './queries.ts';
import { QueryForm } from './query-form.ts';
import { SecretField } from './secret-field.ts';
import { type ConsoleState, followLink, formatConsoleLink, getParameters, startState } from './state.ts';

/** What is asked. */
interface Question {
  readonly query: ConsoleQuery;
  readonly parameters: RequestParameters;
}

/** The page: the question that is set, and the answer to the one that was asked. */
export class Console {
  private state = followLink(startState(new Date()), location.hash);
  private readonly link = new PageLink(
    () => formatConsoleLink(this.state),
    (fragment) => this.follow(fragment),
  );
  private readonly secret = new SecretField(() => this.open());
  private readonly api = new ConsoleApi(() => this.secret.text);
  private names = new KnownNames(this.api);
  private readonly form = new QueryForm(getById('form'), (name, text) => this.set(name, text));
  private readonly panel = new AnswerPanel((more) => this.asked && void this.ask(this.asked, more));
  private asking: AbortController | undefined;
  private asked: Question | undefined;

  /** Shows what the link says, and asks it where there is a secret. */
  start(): void {
    const form = getById('form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.ask(this.question);
    });
    form.addEventListener('change', () => void this.learn());
    // Before the editors, which make a line of it.
    form.addEventListener('keydown', (event) => this.askByKey(event), { capture: true });
    getById('cancel').addEventListener('click', () => this.asking?.abort());
    getById('copy-curl').addEventListener('click', () => void copy(getById('curl').textContent ?? ''));
    getById('copy-link').addEventListener('click', () => {
      this.link.save();
      void copy(location.href);
    });
    this.show();
    if (this.secret.text !== '' && location.hash !== '') void this.ask(this.question);
  }

  private get question(): Question {
    return { query: QUERIES[this.state.query], parameters: getParameters(this.state) };
  }

  /** Another secret opens another project. */
  private open(): void {
    this.names = new KnownNames(this.api);
    void this.learn();
  }

  private follow(fragment: string): void {
    this.asking?.abort();
    this.state = followLink(this.state, fragment);
    this.show();
  }

  /** Shows the query that is set. What was answered to another goes away. */
  private show(): void {
    this.form.show(this.state);
    if (this.asked?.query !== this.question.query) {
      this.asked = undefined;
      this.panel.clear();
      this.panel.status = this.secret.text === '' ? 'Type the secret of the project, then ask.' : '';
    }
    this.complain('');
    this.showQuestion();
    void this.learn();
  }

  private set(name: string, text: string): void {
    this.state = { ...this.state, texts: { ...this.state.texts, [name]: text } };
    this.link.saveSoon();
    this.showQuestion();
  }

  /** Shows what could be asked now: as links, and as a command. */
  private showQuestion(): void {
    const { query, parameters } = this.question;
    getById('title').textContent = query.title;
    getById('curl').textContent = formatCurlCommand(query.path, parameters);
    getById('queries').replaceChildren(...linksOf(this.state));
    this.panel.isStale = this.asked !== undefined && String(this.asked.parameters) !== String(parameters);
  }

  /** Has the form know the names that the project has. */
  private async learn(): Promise<void> {
    if (this.secret.text === '') return;
    try {
      await this.form.learn(this.names);
    } catch (error) {
      this.complain(error);
    }
  }

  private askByKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.ask(this.question);
  }

  /** Asks a question, with more parameters for another page of its answer. */
  private async ask(question: Question, more: RequestParameters = []): Promise<void> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.complain('');
    this.panel.isBusy = true;
    this.panel.status = 'Asking …';
    const { query, parameters } = question;
    const start = performance.now();
    try {
      const answer = await this.api.ask(query.path, [...parameters, ...more], asking.signal);
      this.asked = question;
      this.panel.show(query, answer, parameters);
      this.panel.status = `Answered in ${((performance.now() - start) / 1000).toFixed(2)} s.`;
      this.showQuestion();
    } catch (error) {
      // Nobody waits any more for what was asked before.
      if (this.asking !== asking) return;
      this.panel.status = asking.signal.aborted ? 'Cancelled.' : '';
      if (!asking.signal.aborted) this.complain(error);
    }
    this.panel.isBusy = false;
  }

  /** Says what went wrong, beside what it is about; nothing is wrong with an empty text. */
  private complain(error: unknown): void {
    if (error !== '' && !(error instanceof ApiError)) throw error;
    const { status, message } = error === '' ? { status: 200, message: '' } : error;
    this.secret.complain(status === 401 ? message : '');
    const isPlaced = this.form.complain(message) || status === 401;
    this.panel.failure = isPlaced ? '' : message;
    if (isPlaced) this.panel.status = 'There is no answer, for the reason that stands beside the question.';
  }
}

/** A link to each query, with what is set. */
function linksOf(state: ConsoleState): HTMLElement[] {
  return Object.entries(QUERIES).map(([name, { title }]) => {
    const query = name as ConsoleQueryName;
    const current = query === state.query ? { 'aria-current': 'page' } : {};
    return createElement('a', { href: `#${formatConsoleLink({ ...state, query })}`, ...current }, title);
  });
}

async function copy(text: string): Promise<void> {
  const copied = getById('copied');
  try {
    await navigator.clipboard.writeText(text);
    copied.textContent = 'Copied.';
  } catch {
    // Browsers let only pages from a safe place write there.
    copied.textContent = 'The browser does not let this page copy.';
  }
}
