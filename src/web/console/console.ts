import { createElement } from '../../editor/dom.ts';
import { formatProperty } from '../../lang/util/strings.ts';
import { addCondition } from '../shared/add-condition.ts';
import { copyToClipboard, getById } from '../shared/dom.ts';
import { addHelp } from '../shared/help-dialog.ts';
import { PageLink } from '../shared/page-link.ts';
import { PropertyPanel } from '../shared/property-panel.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { ApiError, ConsoleApi, formatCurlCommand, type RequestParameters } from './api.ts';
import { formatCommandLine } from './command-line.ts';
import { type DataOverview, KnownNames } from './known-names.ts';
import { type ConsoleQuery, type ConsoleQueryName, type Field, QUERIES } from './queries.ts';
import { QueryForm } from './query-form.ts';
import { ResultPanel } from './result-panel.ts';
import { SecretField } from './secret-field.ts';
import {
  type ConsoleState,
  createStartState,
  followLink,
  formatConsoleLink,
  getDates,
  getFields,
  getFieldValue,
  getParameters,
  hasOtherDates,
  setDates,
} from './state.ts';
import { HomeView } from './views/home-view.ts';

/** A query with its parameters, ready to send. */
interface RunnableQuery {
  readonly query: ConsoleQuery;
  readonly parameters: RequestParameters;
}

/** The console page: a form with the current query, and the result of the last query that ran. */
export class Console {
  private readonly secret = new SecretField({
    onChange: () => this.changeProject(),
    onEnter: () => this.signIn(),
  });
  private state = followLink(createStartState(new Date()), location.hash);
  private readonly link = new PageLink(
    () => formatConsoleLink(this.state),
    (fragment) => this.follow(fragment),
  );
  private readonly api = new ConsoleApi(() => this.secret.value);
  private names = new KnownNames(this.api);
  private readonly form = new QueryForm(getById('form'), (field, value) => this.set(field, value));
  private readonly home = new HomeView((event) => this.countEvent(event));
  private readonly panel = new ResultPanel(
    this.home.root,
    (name, excluded) => void this.filterBySegment(name, excluded),
    (from, to) => this.zoom(from, to),
    (page) => this.lastRun && void this.run(this.lastRun, page),
  );
  private readonly properties = new PropertyPanel({
    filter: (condition) => this.edit('where', (filter) => addCondition(filter, condition)),
    group: (scope, name) => this.edit('on', () => formatProperty(scope, name)),
  });
  private running: AbortController | undefined;
  private lastRun: RunnableQuery | undefined;
  /** The dates that the page has filled in. */
  private givenDates = getDates(createStartState(new Date()));

  /** Shows the query of the link, and runs it if there is a secret. */
  start(): void {
    const form = getById('form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.run(this.query);
    });
    form.addEventListener('change', () => void this.loadNames());
    // Captured before it reaches the editors, which would insert a line break.
    form.addEventListener('keydown', (event) => this.runOnCtrlEnter(event), { capture: true });
    getById('cancel').addEventListener('click', () => this.running?.abort());
    for (const id of ['command', 'curl']) {
      getById(`copy-${id}`).addEventListener('click', () => void copyToClipboard(getById(id).textContent ?? ''));
    }
    getById('copy-link').addEventListener('click', () => {
      this.link.save();
      void copyToClipboard(location.href);
    });
    addHelp([['Ctrl-Enter', 'Run the query']]);
    this.show();
    void this.open();
  }

  /** Shows what the project has, and runs the query of the link if there is one. */
  private async open(): Promise<void> {
    if (this.secret.value === '') return;
    const isLinked = location.hash !== '';
    await this.showProject();
    if (isLinked && this.running === undefined) void this.run(this.query);
  }

  /** Shows what the project has. */
  private async showProject(): Promise<void> {
    const { names } = this;
    if (this.secret.value === '') return;
    try {
      const overview = await names.getOverview();
      if (names !== this.names) return;
      this.home.show(overview);
      this.followDates(overview);
      // The query of a link does not wait for them.
      this.properties.show(names).catch((error) => this.setError(error));
    } catch (error) {
      if (names === this.names) this.setError(error);
    }
  }

  /** Takes over the dates of the data, unless someone has chosen others. */
  private followDates({ from_date: from, to_date: to }: DataOverview): void {
    if (from === null || to === null || hasOtherDates(this.state, this.givenDates)) return;
    this.givenDates = { from, to };
    this.state = setDates(this.state, this.givenDates);
    this.form.show(this.state);
    this.showQuery();
  }

  /** Counts an event over the dates of the data. */
  private countEvent(event: string): void {
    const { fields } = QUERIES.segmentation;
    this.state = { query: 'segmentation', values: new Map(this.state.values).set(fields.event, event) };
    this.show();
    this.link.saveSoon();
    void this.run(this.query);
  }

  /** Adds a segment of the result to the filter, or all others, and runs the query again. */
  private async filterBySegment(name: string, excluded: boolean): Promise<void> {
    const on = new Map(this.lastRun?.parameters).get('on') ?? '';
    const condition = await findSegmentCondition(this.names, on, name, excluded).catch(() => undefined);
    if (condition === undefined) {
      this.panel.status = 'It is not known which value this is: write the filter by hand.';
      return;
    }
    this.edit('where', (filter) => addCondition(filter, condition));
    void this.run(this.query);
  }

  /** Runs the query over other dates, which end where they did if `to` is undefined. */
  private zoom(from: string, to = getDates(this.state).to): void {
    const shown = getDates(this.state);
    // The first bucket can begin before the dates.
    this.state = setDates(this.state, { from: from < shown.from ? shown.from : from, to });
    this.show();
    this.link.saveSoon();
    void this.run(this.query);
  }

  /** Changes the first expression of the form with a use, if there is one and it can be changed. */
  private edit(use: 'where' | 'on', change: (source: string) => string | undefined): void {
    const found = getFields(this.state).find(([, field]) => field.kind === 'expression' && field.use === use);
    const field = found?.[1];
    const source = field && change(getFieldValue(this.state, field));
    if (field === undefined || source === undefined) {
      const reason =
        field === undefined ? 'This query has no such field.' : 'The filter has an error: correct it first.';
      this.panel.status = reason;
      return;
    }
    this.set(field, source);
    this.form.show(this.state);
  }

  private get query(): RunnableQuery {
    return { query: QUERIES[this.state.query], parameters: getParameters(this.state) };
  }

  /** Forgets the names of the previous project: another secret may open another one. */
  private changeProject(): void {
    this.names = new KnownNames(this.api);
    this.properties.clear();
    this.home.clear();
    void this.loadNames();
    void this.showProject();
  }

  /** Runs the query of the form, unless the form is as it was at the start. */
  private signIn(): void {
    if (this.secret.value === '') return;
    if (location.hash !== '') void this.run(this.query);
    else this.panel.status = 'Fill in the form, then run the query.';
  }

  private follow(fragment: string): void {
    this.running?.abort();
    this.state = followLink(this.state, fragment);
    this.show();
  }

  /** Shows the current query, and removes the result of any other. */
  private show(): void {
    this.form.show(this.state);
    if (this.lastRun?.query !== this.query.query) {
      this.lastRun = undefined;
      this.panel.clear();
      this.panel.warnings = [];
      this.panel.status = this.secret.value === '' ? 'Enter the project secret, then run the query.' : '';
    }
    this.setError('');
    this.showQuery();
    void this.loadNames();
  }

  private set(field: Field, value: string): void {
    this.state = { ...this.state, values: new Map(this.state.values).set(field, value) };
    this.link.saveSoon();
    this.showQuery();
    // An expression that reads another property has other values to suggest.
    if (field.kind === 'expression') void this.loadNames();
  }

  /** Shows the current query in the title, the `curl` command and the links. */
  private showQuery(): void {
    const { query, parameters } = this.query;
    getById('title').textContent = query.title;
    getById('command').textContent = formatCommandLine(new URL('.', location.href).href, query.path, parameters);
    getById('curl').textContent = formatCurlCommand(query.path, parameters);
    getById('queries').replaceChildren(...createLinks(this.state));
    this.panel.isStale = this.lastRun !== undefined && String(this.lastRun.parameters) !== String(parameters);
  }

  /** Loads the names of the project, which the form suggests. */
  private async loadNames(): Promise<void> {
    if (this.secret.value === '') return;
    try {
      await this.form.loadNames(this.names);
    } catch (error) {
      this.setError(error);
    }
  }

  private runOnCtrlEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.run(this.query);
  }

  /** Runs a query. `page` has the parameters of another page of its result. */
  private async run(runnable: RunnableQuery, page: RequestParameters = []): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.setError('');
    this.panel.warnings = [];
    this.panel.isBusy = false;
    if (this.form.focusInvalid()) {
      this.panel.status = 'Not run: an expression in the form has an error.';
      return;
    }
    this.panel.isBusy = true;
    this.panel.status = 'Running …';
    const { query, parameters } = runnable;
    const start = performance.now();
    try {
      const asked: RequestParameters = [...parameters, ...page, ['verbose', '1']];
      const { warnings, ...result } = (await this.api.post(query.path, asked, running.signal)) as VerboseAnswer;
      this.lastRun = runnable;
      this.panel.show(query, result, parameters);
      this.panel.warnings = warnings ?? [];
      this.panel.status = `Finished in ${((performance.now() - start) / 1000).toFixed(2)} s.`;
      this.showQuery();
    } catch (error) {
      // A newer query is running: the page no longer waits for this one.
      if (this.running !== running) return;
      this.panel.status = running.signal.aborted ? 'Cancelled.' : '';
      if (!running.signal.aborted) this.setError(error);
    }
    this.panel.isBusy = false;
  }

  /** Shows an error next to the field that it is about. An empty string removes all errors. */
  private setError(error: unknown): void {
    if (error !== '' && !(error instanceof ApiError)) throw error;
    const { status, message } = error === '' ? { status: 200, message: '' } : error;
    this.secret.setError(status === 401 ? message : '');
    const isPlaced = this.form.setError(message) || status === 401;
    this.panel.failure = isPlaced ? '' : message;
    if (isPlaced) this.panel.status = 'Query failed: see the error in the form.';
  }
}

/** An answer with what the query names and no record has. */
interface VerboseAnswer {
  readonly warnings?: readonly string[];
}

/** Creates a link to each query that keeps the values of the current one. */
function createLinks(state: ConsoleState): HTMLElement[] {
  return Object.entries(QUERIES).map(([name, { title }]) => {
    const query = name as ConsoleQueryName;
    const current = query === state.query ? { 'aria-current': 'page' } : {};
    return createElement('a', { href: `#${formatConsoleLink({ ...state, query })}`, ...current }, title);
  });
}
