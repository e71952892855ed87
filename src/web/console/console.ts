import { createElement, getById } from '../shared/dom.ts';
import { PageLink } from '../shared/page-link.ts';
import { ApiError, ConsoleApi, formatCurlCommand, type RequestParameters } from './api.ts';
import { KnownNames } from './known-names.ts';
import { type ConsoleQuery, type ConsoleQueryName, QUERIES } from './queries.ts';
import { QueryForm } from './query-form.ts';
import { ResultPanel } from './result-panel.ts';
import { SecretField } from './secret-field.ts';
import { type ConsoleState, followLink, formatConsoleLink, getParameters, startState } from './state.ts';

/** A query with its parameters. */
interface QueryRequest {
  readonly query: ConsoleQuery;
  readonly parameters: RequestParameters;
}

/** The page: the current query and the result of the last one that ran. */
export class Console {
  private state = followLink(startState(new Date()), location.hash);
  private readonly link = new PageLink(
    () => formatConsoleLink(this.state),
    (fragment) => this.followLink(fragment),
  );
  private readonly secret = new SecretField(() => this.switchProject());
  private readonly api = new ConsoleApi(() => this.secret.text);
  private names = new KnownNames(this.api);
  private readonly form = new QueryForm(getById('form'), (name, text) => this.setField(name, text));
  private readonly panel = new ResultPanel((more) => this.shown && void this.run(this.shown, more));
  private running: AbortController | undefined;
  /** The request of the result on the page. */
  private shown: QueryRequest | undefined;

  /** Shows the query of the link, and runs it if there is a secret. */
  start(): void {
    const form = getById('form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.run(this.request);
    });
    form.addEventListener('change', () => void this.suggestNames());
    // Before the editors, which would insert a line break.
    form.addEventListener('keydown', (event) => this.runByKey(event), { capture: true });
    getById('cancel').addEventListener('click', () => this.running?.abort());
    getById('copy-curl').addEventListener('click', () => void copy(getById('curl').textContent ?? ''));
    getById('copy-link').addEventListener('click', () => {
      this.link.save();
      void copy(location.href);
    });
    this.show();
    if (this.secret.text !== '' && location.hash !== '') void this.run(this.request);
  }

  private get request(): QueryRequest {
    return { query: QUERIES[this.state.query], parameters: getParameters(this.state) };
  }

  /** Another secret opens another project, which has other names. */
  private switchProject(): void {
    this.names = new KnownNames(this.api);
    void this.suggestNames();
  }

  private followLink(fragment: string): void {
    this.running?.abort();
    this.state = followLink(this.state, fragment);
    this.show();
  }

  /** Shows the current query, and hides the result of another. */
  private show(): void {
    this.form.show(this.state);
    if (this.shown?.query !== this.request.query) {
      this.shown = undefined;
      this.panel.clear();
      this.panel.status = this.secret.text === '' ? 'Enter the project secret, then run the query.' : '';
    }
    this.hideError();
    this.showRequest();
    void this.suggestNames();
  }

  private setField(name: string, text: string): void {
    this.state = { ...this.state, texts: { ...this.state.texts, [name]: text } };
    this.link.saveSoon();
    this.showRequest();
  }

  /** Shows the current query as links and as a command. */
  private showRequest(): void {
    const { query, parameters } = this.request;
    getById('title').textContent = query.title;
    getById('curl').textContent = formatCurlCommand(query.path, parameters);
    getById('queries').replaceChildren(...createQueryLinks(this.state));
    this.panel.isStale = this.shown !== undefined && String(this.shown.parameters) !== String(parameters);
  }

  /** Offers the names of the project in the form. */
  private async suggestNames(): Promise<void> {
    if (this.secret.text === '') return;
    try {
      await this.form.suggest(this.names);
    } catch (error) {
      this.showError(error);
    }
  }

  private runByKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.run(this.request);
  }

  /** Runs a query, with additional parameters for another page of its result. */
  private async run(request: QueryRequest, more: RequestParameters = []): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.hideError();
    this.panel.isBusy = true;
    this.panel.status = 'Running…';
    const { query, parameters } = request;
    const start = performance.now();
    try {
      const result = await this.api.call(query.path, [...parameters, ...more], running.signal);
      this.shown = request;
      this.panel.show(query, result, parameters);
      this.panel.status = `Finished in ${((performance.now() - start) / 1000).toFixed(2)} s.`;
      this.showRequest();
    } catch (error) {
      // A newer query has replaced this one.
      if (this.running !== running) return;
      this.panel.status = running.signal.aborted ? 'Cancelled.' : '';
      if (!running.signal.aborted) this.showError(error);
    }
    this.panel.isBusy = false;
  }

  private hideError(): void {
    this.secret.showError('');
    this.form.showError('');
    this.panel.error = '';
  }

  /** Shows an error beside the field that it is about, or above the result. */
  private showError(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const { status, message } = error;
    this.secret.showError(status === 401 ? message : '');
    const isInForm = this.form.showError(message) || status === 401;
    this.panel.error = isInForm ? '' : message;
    if (isInForm) this.panel.status = 'Query failed: see the error in the form.';
  }
}

/** Creates a link to each query, with the current values. */
function createQueryLinks(state: ConsoleState): HTMLElement[] {
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
    // Browsers let only secure pages write to the clipboard.
    copied.textContent = 'Cannot copy: the browser does not allow it on this page.';
  }
}
