import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import { check } from '../../api/expressions.ts';
import { isJsonObject } from '../../base/json.ts';
import { escapeUnprintable } from '../../base/strings.ts';
import { tryParseJson } from '../../data/try-parse-json.ts';
import { findProperties } from '../../editor/cursor-context.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { tokenize } from '../../lang/syntax/lexer.ts';
import { MAX_NUMERIC_DAYS } from '../../queries/endpoints/segmentation.ts';
import type { ChartAnnotation, UserSelection } from '../answers/answer.ts';
import { addCondition } from '../shared/add-condition.ts';
import { ApiError, type QueryApi, type RequestParameters } from '../shared/query-api.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { askQuery, type WarnedAnswer } from './ask-query.ts';
import { fillDefaults, type KnownData, listMissing, shortenDates } from './fill-defaults.ts';
import { parseSteps } from './funnel-steps.ts';
import { KnownNames } from './known-names.ts';
import { listFields, type PageQuery, QUERIES } from './queries.ts';
import {
  followLink,
  formatQuestionLink,
  getFieldValue,
  getNamedValue,
  NEW_QUESTION,
  type QuestionState,
  setValues,
  zoomDates,
} from './state.ts';
import { isSelection } from './user-selection.ts';

/** Milliseconds without a change before a question is asked. */
const CALM_MS = 250;

/** An answer on the page. */
export interface ShownAnswer {
  readonly answer: WarnedAnswer;
  /** The question that it answers. */
  readonly state: QuestionState;
  readonly milliseconds: number;
  /** How its filter relates to that of the answer before. */
  readonly change: string | undefined;
}

/** A list of users, or a user. */
export type Opened =
  | { readonly kind: 'users'; readonly title: string; readonly selection: UserSelection }
  | { readonly kind: 'user'; readonly id: string };

/** The question of the page: it is asked whenever it changes and is whole, and keeps its last answer until the next. */
export class QuestionModel {
  readonly state = signal(NEW_QUESTION);
  readonly api: Signal<QueryApi>;
  readonly names: Signal<KnownNames>;
  /** The data behind the questions; undefined until it is known. */
  readonly data = signal<KnownData | undefined>(undefined);
  readonly answer = signal<ShownAnswer | undefined>(undefined);
  readonly isRunning = signal(false);
  /** The error of the last request. */
  readonly problem = signal<ApiError | undefined>(undefined);
  /** A short message about an action that did nothing. */
  readonly notice = signal('');
  /** The users behind a number of the answer, or one user, whose events are shown in its place. */
  readonly opened = signal<Opened | undefined>(undefined);
  /** The property that holds the ID of the user. */
  readonly userProperty = signal('distinct_id');
  /** The properties of the event in question, for editors. */
  readonly schema = signal<Schema | undefined>(undefined);
  /** The question with its defaults, as it is shown and asked. */
  readonly shown = computed(() =>
    this.data.value ? fillDefaults(this.state.value, this.data.value) : this.state.value,
  );
  /** The reason why the question cannot be asked as it is; undefined if it can. */
  readonly obstacle = computed(() => this.api.value.obstacle ?? findObstacle(this.shown.value));
  /** Whether the answer belongs to an earlier question. */
  readonly isStale = computed(
    () => this.isRunning.value || this.problem.value !== undefined || this.answer.value?.state !== this.shown.value,
  );
  /** Whether a question is asked now. Other tabs ask none. */
  readonly isActive = signal(false);
  private running: AbortController | undefined;
  /** Until the properties of the question are known. */
  private checking = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: QueryApi) {
    this.api = signal(api);
    this.names = signal(new KnownNames(api));
    effect(() => {
      // A question that changes is asked once it has settled.
      const [state, isPossible] = [
        this.shown.value,
        this.obstacle.value === undefined && this.data.value !== undefined,
      ];
      clearTimeout(this.timer);
      if (isPossible && this.isActive.value && this.answer.peek()?.state !== state)
        this.timer = setTimeout(() => void this.run(), this.answer.peek() === undefined ? 0 : CALM_MS);
    });
    effect(() => {
      this.checking = this.loadSchema(this.shown.value, this.names.value);
    });
  }

  /** Asks other data from now on. */
  use(api: QueryApi): void {
    batch(() => {
      this.api.value = api;
      this.forgetData();
    });
  }

  /** Reads what the data has now. */
  async refresh(): Promise<void> {
    this.forgetData();
    const { names } = this;
    const asked = names.value;
    if (this.api.value.obstacle !== undefined) return;
    try {
      const [project, overview, funnels] = await Promise.all([
        asked.getProject(),
        asked.getOverview(),
        // A key for a part of the project sees no saved funnels.
        asked.getFunnels().catch(() => []),
      ]);
      if (asked === names.peek()) this.data.value = { project, overview, funnels };
    } catch (error) {
      if (asked === names.peek()) this.fail(error);
    }
  }

  private forgetData(): void {
    this.running?.abort();
    this.running = undefined;
    batch(() => {
      this.isRunning.value = false;
      this.names.value = new KnownNames(this.api.value);
      this.data.value = undefined;
      this.answer.value = undefined;
      this.problem.value = undefined;
      this.schema.value = undefined;
    });
  }

  /** Shows the question of a link, and the users that it opens. That of a saved question has its dates. */
  follow(fragment: string, isSaved: boolean): void {
    batch(() => {
      this.state.value = followLink(this.state.value, fragment, isSaved);
      this.opened.value = readOpened(new URLSearchParams(fragment.replace(/^#/, '')).get('open'));
    });
  }

  /** Returns the fragment of a link to the question and the users that are open. */
  formatLink(): string {
    return this.formatLinkTo(this.opened.value);
  }

  private formatLinkTo(opened: Opened | undefined): string {
    const link = formatQuestionLink(this.state.value);
    return opened === undefined ? link : `${link}&${new URLSearchParams({ open: JSON.stringify(opened) })}`;
  }

  /** Opens users, so that the browser can go back. */
  open(opened: Opened | undefined): void {
    location.hash = this.formatLinkTo(opened);
  }

  /** Sets fields of the current question. */
  set(changes: Readonly<Record<string, string>>): void {
    batch(() => {
      this.notice.value = '';
      this.opened.value = undefined;
      this.state.value = setValues(this.state.value, changes);
    });
  }

  /** Changes an expression, if the question has it and it can be changed. */
  edit(name: 'where' | 'on', change: (source: string) => string | undefined): void {
    const field = listFields(this.state.value.query).find((one) => one.name === name);
    const source = field && change(getFieldValue(this.shown.value, field));
    if (field === undefined) this.notice.value = 'This question has no such field.';
    else if (source === undefined) this.notice.value = 'The filter has an error: correct it first.';
    else this.set({ [name]: source });
  }

  /** Adds a segment of the answer to the filter, or all others. */
  async filterBySegment(name: string, excluded: boolean): Promise<void> {
    const on = getNamedValue(this.shown.value, 'on');
    const condition = await findSegmentCondition(this.names.value, on, name, excluded).catch(() => undefined);
    if (condition === undefined) this.notice.value = 'The type of this value is unknown. Write the filter by hand.';
    else this.edit('where', (filter) => addCondition(filter, condition));
  }

  zoom(from: string, to: string | undefined): void {
    this.state.value = zoomDates(this.shown.value, from, to);
  }

  async annotate({ date, description }: ChartAnnotation): Promise<void> {
    try {
      await this.api.value.post('annotations/create', Object.entries({ date, description }));
      await this.run();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Asks the question now. `page` has the parameters of another page of its answer. */
  async run(page: RequestParameters = []): Promise<void> {
    const [state, data] = [this.shown.value, this.data.value];
    if (this.obstacle.value !== undefined || data === undefined) return;
    this.running?.abort();
    clearTimeout(this.timer);
    const running = new AbortController();
    this.running = running;
    const start = performance.now();
    batch(() => {
      this.isRunning.value = true;
      this.problem.value = undefined;
      this.notice.value = '';
    });
    try {
      const today = data.overview.to_date ?? new Date().toISOString().slice(0, 10);
      const answer = await askQuery(this.api.value, state, today, page, running.signal);
      const milliseconds = performance.now() - start;
      const change = await this.describeChange(state);
      if (this.running === running) this.answer.value = { answer, state, milliseconds, change };
      else return;
    } catch (error) {
      await this.checking;
      // A newer question is running, or nobody waits for this one.
      if (this.running !== running) return;
      // Someone may still type an expression whose first property has the wrong type: that is no alarm.
      const doubt = this.schema.value && findDoubt(state, this.schema.value);
      if (doubt !== undefined && error instanceof ApiError && error.status === 400) this.notice.value = doubt;
      else this.fail(error);
    }
    this.isRunning.value = false;
  }

  /** Says how the filter of a question relates to that of the answer before. Another page of it changes nothing. */
  private async describeChange(state: QuestionState): Promise<string | undefined> {
    const before = this.answer.peek();
    if (before === undefined || before.state === state) return before?.change;
    const [earlier, where] = [getNamedValue(before.state, 'where'), getNamedValue(state, 'where')];
    if (earlier === where) return undefined;
    // An answer is shown without this rather than not at all.
    return import('./describe-filter-change.ts').then(
      ({ describeFilterChange }) => describeFilterChange(earlier, where),
      () => undefined,
    );
  }

  private fail(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    this.problem.value = error;
  }

  /** Loads the properties that editors suggest. */
  private async loadSchema(state: QuestionState, names: KnownNames): Promise<void> {
    if (this.api.peek().obstacle !== undefined || this.data.value === undefined) return;
    const sources = ['where', 'on', 'born_where'].map((name) => getNamedValue(state, name));
    const reads = sources.flatMap((source) => findProperties(tokenize(source).tokens));
    const event = QUERIES[state.query].path === 'events' ? '' : getNamedValue(state, 'event');
    const schema = await names.getSchema(event, reads).catch(() => undefined);
    // The same names and values come again with each word that is typed.
    const isNew = names === this.names.peek() && JSON.stringify(schema) !== JSON.stringify(this.schema.peek());
    if (isNew) this.schema.value = schema;
  }
}

/** Reads the users of a link, which anyone may have written. */
function readOpened(json: string | null): Opened | undefined {
  const opened = tryParseJson(json ?? '');
  if (!isJsonObject(opened)) return undefined;
  const { kind, id, title, selection } = opened;
  if (kind === 'user' && typeof id === 'string') return { kind, id };
  return kind === 'users' && typeof title === 'string' && isSelection(selection)
    ? { kind, title, selection }
    : undefined;
}

/** Returns what a question needs before it can be asked. */
function findObstacle(state: QuestionState): string | undefined {
  if (shortenDates(state) !== undefined) return `This measure covers at most ${MAX_NUMERIC_DAYS} days.`;
  const [missing] = listMissing(state);
  if (missing !== undefined) return `Choose: ${missing.toLowerCase()}.`;
  const wrong = listExpressions(state).find(({ source, use }) => !check(source, { use }).ok);
  return wrong && `${wrong.name} is not a whole expression yet.`;
}

/** Returns what the types of properties say against the expressions of a question. */
function findDoubt(state: QuestionState, schema: Schema): string | undefined {
  for (const { name, source, use } of listExpressions(state)) {
    const found = check(source, { use, schema }).diagnostics.find(({ code }) => code === 'never-true');
    if (found !== undefined) return escapeUnprintable(`${name}: ${found.message.replaceAll('`', '')}`);
  }
  return undefined;
}

interface NamedExpression {
  readonly name: string;
  readonly source: string;
  readonly use: Use;
}

/** Returns the expressions of a question that are not blank. */
function listExpressions(state: QuestionState): readonly NamedExpression[] {
  const { on }: PageQuery = QUERIES[state.query];
  const fields = listFields(state.query).filter(({ kind }) => kind === 'expression');
  const expressions = fields.map((field): NamedExpression => {
    const use = field.name === 'on' ? (on ?? 'on') : 'where';
    return { name: field.label, source: getFieldValue(state, field), use };
  });
  const filters = parseSteps(getNamedValue(state, 'steps')).map(({ where }, at): NamedExpression => {
    return { name: `The filter of step ${at + 1}`, source: where, use: 'where' };
  });
  return [...expressions, ...filters].filter(({ source }) => source.trim() !== '');
}
