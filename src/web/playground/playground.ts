import { trace } from '../../api/explain.ts';
import { type CheckOptions, type CheckResult, check } from '../../api/expressions.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { why } from '../../lang/explain/why.ts';
import { getCurrentTime } from '../../lang/util/current-time.ts';
import { escapeUnprintable } from '../../lang/util/strings.ts';
import { getById } from '../shared/dom.ts';
import { Editor } from '../shared/editor.ts';
import { PageLink } from '../shared/page-link.ts';
import { showFindings } from '../shared/show-findings.ts';
import { EventClient } from './events/event-client.ts';
import type { EventRow, EventsAnswer, EventsSource, Opened } from './events/messages.ts';
import { formatPlaygroundLink, type PlaygroundState, parsePlaygroundLink, START, startOver, VIEWS } from './state.ts';
import { EventsView } from './views/events-view.ts';
import { SegmentsView } from './views/segments-view.ts';
import { showNoAnswer, showSummary } from './views/show-summary.ts';
import { SourceView } from './views/source-view.ts';
import { Tabs } from './views/tabs.ts';
import { TreeView } from './views/tree-view.ts';

/** The two expressions of a query. */
const PARTS = ['where', 'on'] as const;

type Part = (typeof PARTS)[number];

const LABELS: Readonly<Record<Part, string>> = { where: 'Filter', on: 'Segment by' };

/** The page: what is set, what is known of the events, and the views of both. */
export class Playground {
  private state = parsePlaygroundLink(location.hash);
  private schema: Schema | undefined;
  private checks: Readonly<Record<Part, CheckResult>> = { where: this.check('where'), on: this.check('on') };
  private answer: EventsAnswer | undefined;
  private hasEvents = false;
  private selected: EventRow | undefined;
  /** What was put there at first, which other events may replace. */
  private suggested: Pick<PlaygroundState, 'where' | 'on'> = START;
  private readonly link = new PageLink(
    () => formatPlaygroundLink(this.state),
    (fragment) => this.follow(parsePlaygroundLink(fragment)),
  );

  private readonly client = new EventClient({
    opened: (opened) => this.opened(opened),
    answered: (answer) => this.answered(answer),
  });
  private readonly editors: Readonly<Record<Part, Editor>> = { where: this.editor('where'), on: this.editor('on') };
  private readonly source = new SourceView((source) => this.open(source));
  private readonly tabs = new Tabs(getById('tabs'), (name) => {
    this.change({ view: VIEWS.find((view) => view === name) ?? this.state.view });
  });
  private readonly segments = new SegmentsView(getById('panel-segments'), (settings) => this.change(settings));
  private readonly events = new EventsView(getById('panel-events'), {
    list: (choice, from, most) => this.client.list(choice, from, most),
    reason: (row) => this.reason(row),
    select: (row) => this.select(row),
  });
  private readonly tree = new TreeView(getById('panel-tree'));

  /** Shows what the link says, and reads the events. */
  start(): void {
    getById('copy-link').addEventListener('click', () => void this.copyLink());
    for (const part of PARTS) getById(`${part}-format`).addEventListener('click', () => this.editors[part].format());
    this.show();
    const served = document.querySelector<HTMLMetaElement>('meta[name=onwhere-file]')?.content ?? '';
    this.open(served === '' ? { kind: 'sample' } : { kind: 'served', name: served });
  }

  private editor(part: Part): Editor {
    return new Editor(getById(part), LABELS[part], this.state[part], this.options(part), (text) =>
      this.change({ [part]: text }),
    );
  }

  private check(part: Part): CheckResult {
    return check(this.state[part], this.options(part));
  }

  private options(part: Part): CheckOptions {
    return { use: part, ...(this.schema && { schema: this.schema }) };
  }

  private open(source: EventsSource): void {
    this.hasEvents = false;
    this.client.open(source);
  }

  private opened(opened: Opened): void {
    this.source.show(opened);
    if (!opened.done) return;
    this.schema = opened.events > 0 ? opened.schema : undefined;
    this.hasEvents = true;
    for (const part of PARTS) this.editors[part].options = this.options(part);
    this.select(undefined);
    this.suggest();
    this.judge();
  }

  /** What nobody has changed gives way to what suits the events. */
  private suggest(): void {
    const { state, suggested } = this;
    const suiting = startOver(this.schema);
    if (state.where === suggested.where && state.on === suggested.on) this.follow({ ...state, ...suiting });
    this.suggested = suiting;
  }

  private change(changes: Partial<PlaygroundState>): void {
    const before = this.state;
    this.state = { ...before, ...changes };
    this.link.saveSoon();
    const { where, on, unit, unique } = this.state;
    const asks = where !== before.where || on !== before.on || unit !== before.unit || unique !== before.unique;
    if (asks) this.judge();
    else this.show();
  }

  /** Takes over what another link says. */
  private follow(state: PlaygroundState): void {
    this.change(state);
    for (const part of PARTS) this.editors[part].text = state[part];
  }

  /** Checks the expressions and asks the events, where both can be asked. */
  private judge(): void {
    this.checks = { where: this.check('where'), on: this.check('on') };
    this.show();
    if (!this.hasEvents || !this.canAsk()) return;
    const { where, on, unit, unique } = this.state;
    this.client.ask({ where, on, unit, unique, now: getCurrentTime() });
  }

  private canAsk(): boolean {
    return PARTS.every((part) => this.isEmpty(part) || this.checks[part].ok);
  }

  private isEmpty(part: Part): boolean {
    return this.state[part].trim() === '';
  }

  private answered(answer: EventsAnswer): void {
    this.answer = answer;
    this.show();
    this.segments.show(answer);
    void this.events.show(PARTS.flatMap((part) => this.checks[part].properties));
  }

  private show(): void {
    this.tabs.show(this.state.view);
    this.segments.set(this.state);
    for (const part of PARTS) {
      const findings = getById(`${part}-findings`);
      if (this.isEmpty(part)) findings.replaceChildren();
      else showFindings(findings, this.editors[part], this.checks[part]);
    }
    this.showTree();
    this.showSummary();
  }

  private showSummary(): void {
    const summary = getById('summary');
    if (this.answer !== undefined) showSummary(summary, this.answer, this.canAsk(), (index) => void this.go(index));
    else if (!this.canAsk()) showNoAnswer(summary);
  }

  private select(row: EventRow | undefined): void {
    this.selected = row;
    this.events.mark(row?.index);
    this.showTree();
  }

  /** A text that is no expression has no tree; the parts that have one are shown. */
  private showTree(): void {
    const shown = PARTS.filter((part) => this.checks[part].types.length > 0).map((part) => {
      return { title: LABELS[part], source: this.state[part], options: this.options(part) };
    });
    this.tree.show(shown, this.selected, this.answer?.query.now ?? 0);
  }

  /** Why the filter that was asked last is what it is for an event. */
  private reason({ properties, user }: EventRow): string {
    const { where, now } = this.answer?.query ?? { where: '', now: 0 };
    if (where.trim() === '') return 'Without a filter, every event matches.';
    return why(trace(where, properties, user, { use: 'where', now }))
      .map(({ message }) => escapeUnprintable(message))
      .join('\n');
  }

  /** Selects an event and shows it. */
  private async go(index: number): Promise<void> {
    const { rows } = await this.client.list('all', index, 1);
    this.select(rows[0]);
    this.change({ view: 'tree' });
  }

  private async copyLink(): Promise<void> {
    this.link.save();
    const copied = getById('copied');
    try {
      await navigator.clipboard.writeText(location.href);
      copied.textContent = 'Copied.';
    } catch {
      // Browsers let only pages from a safe place write there.
      copied.textContent = 'The link is in the address bar.';
    }
  }
}
