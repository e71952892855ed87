import type { ChartAnnotation } from '../answers/answer.ts';
import { addCondition } from '../shared/add-condition.ts';
import { getById } from '../shared/dom.ts';
import { ApiError, type QueryApi, type RequestParameters } from '../shared/query-api.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { askQuery, createRunnableQuery, type RunnableQuery } from './ask-query.ts';
import { CommandsView } from './commands-view.ts';
import { type DataOverview, KnownNames } from './known-names.ts';
import type { Field, QuestionName } from './queries.ts';
import { QueryForm } from './query-form.ts';
import { createQuestionLinks } from './question-links.ts';
import type { QuestionsHost } from './questions-host.ts';
import { ResultPanel } from './result-panel.ts';
import {
  countEvent,
  createStartState,
  followLink,
  formatQuestionLink,
  getDates,
  getFields,
  getFieldValue,
  hasOtherDates,
  isQuestionLink,
  type QuestionState,
  setDates,
  zoomDates,
} from './state.ts';
import { HomeView } from './views/home-view.ts';

/** The questions of the page: a form with the current one, and the result of the last one that ran. */
export class Questions {
  private state = createStartState(new Date());
  private names: KnownNames;
  private readonly form = new QueryForm(
    getById<HTMLFormElement>('form'),
    (field, value) => this.set(field, value),
    (query) => this.changeQuery(query),
  );
  private readonly commands = new CommandsView();
  private readonly home = new HomeView((event) => this.runState(countEvent(this.state, event)));
  private readonly panel = new ResultPanel(
    this.home.root,
    (name, excluded) => void this.filterBySegment(name, excluded),
    (from, to) => this.runState(zoomDates(this.state, from, to)),
    (page) => this.lastRun && void this.run(this.lastRun, page),
    (annotation) => void this.annotate(annotation),
  );
  /** The form is created when it is first shown. */
  private isShown = false;
  private running: AbortController | undefined;
  private lastRun: RunnableQuery | undefined;
  /** The dates that the page has filled in. */
  private givenDates = getDates(createStartState(new Date()));

  constructor(
    private api: QueryApi,
    private readonly host: QuestionsHost,
  ) {
    this.names = new KnownNames(api);
    const form = getById('form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.run(this.query);
    });
    form.addEventListener('change', () => void this.loadNames());
    getById('cancel').addEventListener('click', () => this.running?.abort());
  }

  /** Returns the fragment of a link to the current question. */
  formatLink(): string {
    return formatQuestionLink(this.state);
  }

  /** Creates a link to each question that keeps the values of the current one. */
  createLinks(): HTMLElement[] {
    return createQuestionLinks(this.state);
  }

  get hasResult(): boolean {
    return this.lastRun !== undefined;
  }

  /** Shows the question of a link, and runs it if it is one and can run. */
  async open(fragment: string): Promise<void> {
    this.follow(fragment);
    await this.showProject();
    if (isQuestionLink(fragment) && this.running === undefined && this.api.obstacle === undefined)
      void this.run(this.query);
  }

  /** Shows the question of another link. */
  follow(fragment: string): void {
    this.running?.abort();
    this.isShown = true;
    this.state = followLink(this.state, fragment);
    this.show();
  }

  /** Asks other data from now on. */
  ask(api: QueryApi): void {
    this.running?.abort();
    this.api = api;
    this.forgetResult();
    this.forgetNames();
  }

  /** Shows what the data has now: it has changed. */
  async refresh(): Promise<void> {
    this.forgetNames();
    void this.loadNames();
    await this.showProject();
  }

  /** Runs the question of the form, unless the form is as it was at the start. */
  runIfAsked(): void {
    if (this.api.obstacle !== undefined) return;
    if (location.hash !== '') void this.run(this.query);
    else this.panel.status = 'Fill in the form, then run the query.';
  }

  /** Shows what the data has. */
  private async showProject(): Promise<void> {
    const { names } = this;
    if (this.api.obstacle !== undefined) return;
    try {
      const [overview, datasets] = await Promise.all([names.getOverview(), names.getDatasets()]);
      if (names !== this.names) return;
      this.home.show(overview, datasets, this.api.emptyHint);
      this.home.followSavedFilters(this.api.listSavedFilters?.bind(this.api));
      this.followDates(overview);
      // The query of a link does not wait for them.
      void this.attempt(this.host.showProperties(names));
    } catch (error) {
      if (names === this.names) this.setError(error);
    }
  }

  /** Takes over the dates of the data, unless someone has chosen others. */
  private followDates({ from_date: from, to_date: to }: DataOverview): void {
    if (from === null || to === null || hasOtherDates(this.state, this.givenDates)) return;
    this.givenDates = { from, to };
    this.state = setDates(this.state, this.givenDates);
    if (this.isShown) {
      this.form.show(this.state);
      this.showQuery();
    } else this.host.showLinks();
  }

  /** Shows another state of the form, and runs its query. */
  private runState(state: QuestionState): void {
    this.state = state;
    this.show();
    void this.run(this.query);
  }

  /** Adds a segment of the result to the filter, or all others, and runs the query again. */
  private async filterBySegment(name: string, excluded: boolean): Promise<void> {
    const on = new Map(this.lastRun?.parameters).get('on') ?? '';
    const condition = await findSegmentCondition(this.names, on, name, excluded).catch(() => undefined);
    if (condition === undefined) {
      this.panel.status = 'The type of this value is unknown. Write the filter by hand.';
      return;
    }
    this.edit('where', (filter) => addCondition(filter, condition));
    void this.run(this.query);
  }

  private async annotate({ date, description }: ChartAnnotation): Promise<void> {
    const isDone = await this.attempt(this.api.post('annotations/create', Object.entries({ date, description })));
    if (isDone && this.lastRun) void this.run(this.lastRun);
  }

  /** Changes the first expression of the form with a use, if there is one and it can be changed. */
  edit(use: 'where' | 'on', change: (source: string) => string | undefined): void {
    const found = getFields(this.state).find(([, field]) => field.kind === 'expression' && field.use === use);
    const field = found?.[1];
    const source = field && change(getFieldValue(this.state, field));
    if (field === undefined) this.panel.status = 'This query has no such field.';
    else if (source === undefined) this.panel.status = 'The filter has an error: correct it first.';
    else {
      this.set(field, source);
      this.form.show(this.state);
    }
  }

  private get query(): RunnableQuery {
    return createRunnableQuery(this.state);
  }

  /** Shows the current query, and removes the result of any other. */
  private show(): void {
    this.form.show(this.state);
    if (this.lastRun?.query !== this.query.query) this.forgetResult();
    this.setError('');
    this.showQuery();
    void this.loadNames();
  }

  /** Follows the link to another query, so that the browser can go back. */
  private changeQuery(query: QuestionName): void {
    location.hash = formatQuestionLink({ ...this.state, query });
  }

  private forgetNames(): void {
    this.names = new KnownNames(this.api);
    this.home.clear();
  }

  private forgetResult(): void {
    this.lastRun = undefined;
    this.panel.clear();
    this.panel.status = this.api.obstacle ?? '';
  }

  private set(field: Field, value: string): void {
    this.state = { ...this.state, values: new Map(this.state.values).set(field, value) };
    this.host.saveLinkSoon();
    this.showQuery();
    if (field.kind === 'funnel') this.form.show(this.state);
    // An expression that reads another property has other values to suggest.
    if (field.kind === 'expression') void this.loadNames();
  }

  /** Shows the current query in the title, the `curl` command and the links. */
  private showQuery(): void {
    const { query, parameters, isCompared } = this.query;
    const { lastRun } = this;
    getById('title').textContent = query.title;
    this.commands.show(this.api.formatCommands(query.path, parameters), new Map(parameters).get('where'));
    this.host.showLinks();
    this.panel.isStale =
      lastRun !== undefined && (String(lastRun.parameters) !== String(parameters) || lastRun.isCompared !== isCompared);
  }

  /** Loads the names of the project, which the form suggests. */
  private async loadNames(): Promise<void> {
    if (this.api.obstacle === undefined) await this.attempt(this.form.loadNames(this.names));
  }

  /** Waits for work, shows its error if it fails, and returns whether it succeeded. */
  private attempt(work: Promise<unknown>): Promise<boolean> {
    return work.then(
      () => true,
      (error) => {
        this.setError(error);
        return false;
      },
    );
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
      this.panel.status = 'Not run: the form has an error.';
      return;
    }
    this.host.saveLink();
    this.panel.isBusy = true;
    this.panel.status = 'Running …';
    const start = performance.now();
    try {
      const answer = await askQuery(this.api, runnable, page, running.signal);
      this.lastRun = runnable;
      this.panel.show(runnable.query, answer, runnable.parameters);
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
    this.host.showAccessError(status === 401 ? message : '');
    const isPlaced = this.form.setError(message) || status === 401;
    this.panel.failure = isPlaced ? '' : message;
    if (isPlaced) this.panel.status = 'Query failed: see the error in the form.';
  }
}
