import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { ExploreModel } from '../explore/explore-model.ts';
import { readServerSample } from '../explore/read-server-sample.ts';
import { formatExplorerLink, isExplorerLink, SAMPLE_STATE } from '../explore/state.ts';
import { FileSource } from '../file/file-source.ts';
import { NO_CHOICES } from '../file/served-file.ts';
import type { KnownData } from '../questions/fill-defaults.ts';
import type { KnownNames } from '../questions/known-names.ts';
import type { QuestionName, Tab } from '../questions/queries.ts';
import { QuestionModel } from '../questions/question-model.ts';
import { ServerApi } from '../questions/server-api.ts';
import { formatQuestionLink, getTab, isQuestionLink, type QuestionState, setValues } from '../questions/state.ts';
import { formatBoardLink, parseBoardLink, type SavedQuestion, SavedQuestions } from '../saved/saved-questions.ts';
import { PageLink } from '../shared/page-link.ts';
import { ApiError } from '../shared/query-api.ts';
import { readMeta } from '../shared/read-meta.ts';
import { readSecret, writeSecret } from './secret.ts';

/** Where the events are: on the server of the page, or in a file in the browser. */
export type SourceName = 'server' | 'file';

export type TabName = 'explore' | Tab;

/** The first question of each tab. */
const FIRST: Readonly<Record<Tab, QuestionName>> = {
  trends: 'segmentation',
  funnels: 'funnels',
  retention: 'retention',
  people: 'people',
};

/** The page: its source, its tabs and its link. */
export class PageModel {
  readonly hasServer = readMeta('onwhere-source') === 'server';
  readonly source = signal<SourceName>(this.hasServer ? 'server' : 'file');
  readonly isExploring = signal(false);
  /** The questions of a board, if one is open. */
  readonly board = signal<readonly SavedQuestion[] | undefined>(undefined);
  readonly saved = new SavedQuestions();
  readonly secret = signal(readSecret());
  readonly file = signal<FileSource | undefined>(undefined);
  /** Explores the events of each source, once someone has opened it. */
  private readonly explorers = signal<Readonly<Partial<Record<SourceName, ExploreModel>>>>({});
  readonly explore = computed(() => this.explorers.value[this.source.value]);
  private readonly server = new ServerApi(() => this.secret.value);
  readonly questions = new QuestionModel(this.server);
  readonly tab = computed<TabName>(() => (this.isExploring.value ? 'explore' : getTab(this.questions.state.value)));
  /** The names of the project whose events are explored. */
  private sampled: KnownNames | undefined;
  /** The last question of each tab. */
  private readonly last = new Map<Tab, QuestionName>(Object.entries(FIRST) as [Tab, QuestionName][]);
  readonly link = new PageLink(
    () => (this.board.value === undefined ? this.formatLink(this.tab.value) : formatBoardLink(this.board.value)),
    (fragment) => this.follow(fragment),
  );

  constructor() {
    // The sample of a server is read when someone explores it, and again for another project.
    effect(() => {
      const { data, names } = this.questions;
      if (this.isExploring.value && this.source.value === 'server' && data.value !== undefined)
        void this.exploreServer(names.value, data.value);
    });
  }

  /** Opens the source of the page, and shows what its link names. */
  start(): void {
    if (this.source.value === 'server') this.openServer();
    else this.openFile().openFirst();
    this.follow(location.hash);
  }

  changeSource(source: SourceName): void {
    this.source.value = source;
    if (source === 'server') this.openServer();
    else if (this.file.value === undefined) this.openFile().openFirst();
    else this.askFile(this.file.value);
  }

  /** Takes the secret that someone has entered. */
  enterSecret(secret: string): void {
    writeSecret(secret);
    this.secret.value = secret;
    void this.questions.refresh();
  }

  private openServer(): void {
    this.questions.use(this.server);
    void this.questions.refresh();
  }

  /** Reads a sample of the server, unless it is the one that is explored. */
  private async exploreServer(names: KnownNames, { overview, project }: KnownData): Promise<void> {
    if (this.sampled === names) return;
    this.sampled = names;
    const explorer = untracked(() => this.createExplorer('server'));
    try {
      const { sample, note } = await readServerSample(this.server, overview);
      if (this.sampled !== names) return;
      explorer.note.value = note;
      explorer.client.open({ kind: 'lines', ...sample }, { ...NO_CHOICES, timeZone: project.time_zone });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      explorer.note.value = error.message;
    }
  }

  /** Creates what explores the events of a source, with a thread that holds them. */
  private createExplorer(source: SourceName): ExploreModel {
    const known = this.explorers.value[source];
    if (known !== undefined) return known;
    const explorer = new ExploreModel();
    this.explorers.value = { ...this.explorers.value, [source]: explorer };
    return explorer;
  }

  /** Shows the part of the page for files, which it creates at first. */
  private openFile(): FileSource {
    const explorer = this.createExplorer('file');
    const file = new FileSource(explorer.client, explorer.progress);
    explorer.progress.subscribe((progress) => {
      const user = progress?.shape?.fields.find(({ role }) => role === 'user');
      this.questions.userProperty.value = user?.column ?? 'distinct_id';
      if (progress?.done && this.source.value === 'file') void this.questions.refresh();
    });
    this.file.value = file;
    this.askFile(file);
    return file;
  }

  private askFile(file: FileSource): void {
    this.questions.use(file.api);
    void this.questions.refresh();
  }

  private follow(fragment: string): void {
    batch(() => {
      const { state } = this.questions;
      this.last.set(getTab(state.value), state.value.query);
      this.board.value = parseBoardLink(fragment);
      this.saved.follow(fragment);
      if (this.board.value !== undefined) {
        this.isExploring.value = false;
        this.questions.isActive.value = false;
        return;
      }
      const isQuestion = isQuestionLink(fragment);
      // A server opens with an answer, a file with its events.
      this.isExploring.value = !isQuestion && (this.source.value === 'file' || isExplorerLink(fragment));
      this.questions.isActive.value = !this.isExploring.value;
      if (this.isExploring.value) this.createExplorer(this.source.value).follow(fragment);
      else this.questions.follow(fragment, this.saved.opened.value !== '');
    });
  }

  /** Returns the fragment of a link to a tab that keeps the values of the current question. */
  formatLink(tab: TabName): string {
    if (tab === 'explore') return formatExplorerLink(this.explore.value?.state.value ?? SAMPLE_STATE);
    const state = this.questions.state.value;
    if (getTab(state) === tab) return this.questions.formatLink();
    return formatQuestionLink({ ...state, query: this.last.get(tab) ?? FIRST[tab] });
  }

  /** Counts an event over time. */
  countEvent(event: string): void {
    this.link.save();
    const state: QuestionState = { ...this.questions.state.value, query: 'segmentation' };
    location.hash = formatQuestionLink(setValues(state, { event }));
  }

  useFilter(filter: string): void {
    this.link.push();
    this.edit('where', () => filter);
    // The browser may go back before the link is saved by itself.
    this.link.save();
  }

  /** Changes an expression of the tab that is shown. */
  edit(part: 'where' | 'on', change: (source: string) => string | undefined): void {
    if (this.isExploring.value) this.explore.value?.edit(part, change);
    else this.questions.edit(part, change);
  }
}
