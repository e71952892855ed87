import { pluralize } from '../../base/strings.ts';
import { type Access, assertPermission, assertWhole, isWhole } from '../../queries/access.ts';
import { ServiceError } from '../../queries/service-error.ts';
import { assertSavedFilter, type SavedFilter, type SavedFilters } from '../datasets/saved/saved-filters.ts';
import type { ReportEvent } from '../datasets/service-event.ts';
import { SerialQueue } from '../locks/serial-queue.ts';
import type { FilterMatcher } from './filter-matcher.ts';
import type { ImportMatchCounts } from './match-request.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** The events of an import. */
export interface ImportedEvents {
  readonly datasetId: string;
  readonly versionId: string;
  /** Lines of the event log. */
  readonly lines: readonly string[];
}

/** A saved filter as clients see it. */
export interface SavedFilterListing {
  readonly name: string;
  readonly event: string | null;
  readonly where: string;
  readonly created_at: string;
  /** The number of imported events that matched since `since`. */
  readonly events: number;
  /** When counting began: when the saved filter was created, or the server started. */
  readonly since: string;
  readonly last_import: LastImport | null;
}

interface LastImport {
  readonly time: string;
  readonly dataset_id: string;
  readonly dataset_version: string;
  readonly events: number;
  readonly people: number;
  readonly failures: number;
}

/** The part of an import's response about saved filters: their counts, or why they were not matched. */
export type MatchReport =
  | { readonly segments: Readonly<Record<string, Omit<ImportMatchCounts, 'name'>>> }
  | { readonly segments_error: string };

interface Counted {
  readonly filter: SavedFilter;
  readonly since: string;
  events: number;
  last: LastImport | null;
}

interface ProjectState {
  readonly id: number;
  readonly counted: Map<string, Counted>;
  /** Another array after each change. */
  filters: readonly SavedFilter[];
  /** After a failure, when events are matched again, in milliseconds since 1970. */
  pausedUntil: number;
}

/** More would make each import wait for them. */
const MAX_FILTERS = 1_000;

/** How long the saved filters of a project rest after the thread failed, so that they do not delay those of others. */
const PAUSE_MS = 60_000;

/** The saved filters of all projects, and how many imported events they match. */
export class SavedFilterRegistry {
  private readonly projects = new Map<number, Promise<ProjectState>>();
  private readonly changes = new SerialQueue();

  constructor(
    private readonly files: SavedFilters,
    private readonly matcher: Pick<FilterMatcher, 'match' | 'close'>,
    private readonly report: ReportEvent,
    private readonly webhooks?: Pick<WebhookQueue, 'add' | 'close' | 'size'>,
  ) {}

  /** Returns the saved filters of the project, ordered by name. */
  async list(access: Access): Promise<SavedFilterListing[]> {
    assertPermission(access, 'query');
    assertWhole(access, 'saved filters');
    const { counted, filters } = await this.find(access);
    return filters.map(({ name }) => toListing(counted.get(name) as Counted));
  }

  /**
   * Creates a saved filter, or replaces the one with its name and counts anew.
   *
   * @throws {ServiceError} 400 for an invalid name or filter, 409 if there are too many saved filters
   */
  put(access: Access, name: string, where: string, event?: string): Promise<SavedFilterListing> {
    assertPermission(access, 'datasets');
    assertWhole(access, 'saved filters');
    assertSavedFilter(name, where);
    return this.changes.take(async () => {
      const state = await this.find(access);
      if (!state.counted.has(name) && state.counted.size >= MAX_FILTERS)
        throw new ServiceError(409, `A project has at most ${MAX_FILTERS} saved filters: delete one first.`);
      const createdAt = new Date().toISOString();
      const filter = { name, ...(event !== undefined && { event }), where, createdAt };
      await this.files.put(access.project.name, filter);
      const counted = { filter, since: createdAt, events: 0, last: null };
      state.counted.set(name, counted);
      state.filters = sortFilters(state);
      return toListing(counted);
    });
  }

  /** @throws {ServiceError} 404 if there is no such saved filter */
  remove(access: Access, name: string): Promise<void> {
    assertPermission(access, 'datasets');
    assertWhole(access, 'saved filters');
    return this.changes.take(async () => {
      const state = await this.find(access);
      if (!state.counted.has(name))
        throw new ServiceError(404, 'No saved filter has this name. GET /segments lists all.');
      await this.files.remove(access.project.name, name);
      state.counted.delete(name);
      state.filters = sortFilters(state);
    });
  }

  /**
   * Matches the events of an import and queues the notices. Never fails, because the events are stored already. Returns
   * undefined if the project has no saved filters, or the access may not know them.
   */
  async match(access: Access, events: ImportedEvents): Promise<MatchReport | undefined> {
    const report = await this.matchAll(access, events);
    return access.permissions.includes('query') && isWhole(access) ? report : undefined;
  }

  private async matchAll(
    { project }: Access,
    { datasetId, versionId, lines }: ImportedEvents,
  ): Promise<MatchReport | undefined> {
    let state: ProjectState | undefined;
    try {
      state = await this.find({ project });
      const { filters } = state;
      if (filters.length === 0) return undefined;
      if (Date.now() < state.pausedUntil) return { segments_error: describePause(state, lines.length) };
      const time = new Date().toISOString();
      const source = this.webhooks && { project: project.name, datasetId, versionId, time };
      const result = await this.matcher.match(state, { timeZone: project.timeZone, lines, source });
      if (result === undefined) return this.refuse(project.name, describeMissed(state, lines.length));
      const { counts, notices } = result;
      const place = { time, dataset_id: datasetId, dataset_version: versionId };
      for (const { name, ...numbers } of counts) {
        const counted = state.counted.get(name);
        // It may have been replaced or deleted meanwhile.
        if (counted === undefined || !filters.includes(counted.filter)) continue;
        counted.events += numbers.events;
        counted.last = { ...place, ...numbers };
      }
      for (const notice of notices) await this.webhooks?.add(project.name, notice);
      return { segments: Object.fromEntries(counts.map(({ name, ...numbers }) => [name, numbers])) };
    } catch (error) {
      this.report({ kind: 'filters not matched', project: project.name, error: error as Error });
      if (state === undefined) return { segments_error: 'The saved filters cannot be read: see the server log.' };
      state.pausedUntil = Date.now() + PAUSE_MS;
      return { segments_error: describePause(state, lines.length) };
    }
  }

  private refuse(project: string, missed: string): MatchReport {
    this.report({ kind: 'filters not matched', project, error: new Error(`too much work: ${missed}`) });
    const advice = 'Import fewer events at once, or delete saved filters that many events need.';
    return { segments_error: `The server did not match ${missed}: it is too much work. ${advice}` };
  }

  /** The number of notices that wait for the receiver. */
  get webhooksWaiting(): number {
    return this.webhooks?.size ?? 0;
  }

  async close(): Promise<void> {
    await this.matcher.close();
    await this.webhooks?.close();
  }

  private find({ project }: Pick<Access, 'project'>): Promise<ProjectState> {
    const known = this.projects.get(project.id);
    if (known !== undefined) return known;
    const loading = this.load(project);
    this.projects.set(project.id, loading);
    loading.catch(() => this.projects.delete(project.id));
    return loading;
  }

  private async load({ id, name }: Access['project']): Promise<ProjectState> {
    const since = new Date().toISOString();
    const filters = await this.files.list(name);
    const counted = filters.map(
      (filter) => [filter.name, { filter, since, events: 0, last: null } as Counted] as const,
    );
    return { id, counted: new Map(counted), filters, pausedUntil: 0 };
  }
}

function sortFilters({ counted }: ProjectState): SavedFilter[] {
  return [...counted.values()].map(({ filter }) => filter).sort((left, right) => (left.name < right.name ? -1 : 1));
}

function toListing({ filter, since, events, last }: Counted): SavedFilterListing {
  const { name, event = null, where, createdAt } = filter;
  return { name, event, where, created_at: createdAt, events, since, last_import: last };
}

function describePause(state: ProjectState, events: number): string {
  const until = new Date(state.pausedUntil).toISOString();
  return `Matching failed: the server did not match ${describeMissed(state, events)}. It matches again from ${until}.`;
}

function describeMissed({ filters }: ProjectState, events: number): string {
  return `${pluralize(events, 'event')} of this import with ${pluralize(filters.length, 'saved filter')}`;
}
