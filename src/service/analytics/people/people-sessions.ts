import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from '../../../api/expressions.ts';
import { getCurrentTime } from '../../../base/current-time.ts';
import type { Access } from '../../../queries/access.ts';
import { PAGE_SIZE } from '../../../queries/answer-limits.ts';
import type { PeopleRequest, PeopleResult, PeopleSelection } from '../../../queries/people.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import type { DatasetFilter } from '../../../queries/services.ts';
import { makeSecret } from '../../datasets/catalog/secrets.ts';
import type { Datasets } from '../../datasets/datasets.ts';
import { FairSemaphore } from '../../locks/fair-semaphore.ts';
import { makeFolder } from '../../storage/files.ts';
import type { QueryMoment } from '../../store/filter-snapshot.ts';
import { PeopleSnapshot } from './people-snapshot.ts';
import { assertSame, createSessionError, isSameAccess, type SessionIdentity } from './session-identity.ts';

/** The lifetime of a session after its last use. */
const KEPT_MS = 30 * 60_000;

/** The number of snapshots written in the background at once. */
const WRITERS = 4;

/** The limits of all sessions. A project may use as much as it leaves free. */
export interface PeopleLimits {
  readonly sessions: number;
  /** On disk. Stored people take about a fifth of their JSON. */
  readonly bytes: number;
}

const LIMITS: PeopleLimits = { sessions: 10_000, bytes: 4 * 2 ** 30 };

interface SessionQuery extends SessionIdentity {
  readonly access: Access;
  readonly moment: QueryMoment;
  /** Equal for requests with the same result. */
  readonly key: string;
}

/** A snapshot that one or more clients with the same query page through. */
interface Session {
  readonly id: string;
  readonly identity: SessionIdentity;
  /** Equal for requests with the same result; undefined for a session of an earlier process. */
  readonly key: string | undefined;
  readonly snapshot: PeopleSnapshot;
  readonly abortController: AbortController;
  readonly written: Promise<void>;
  /** Whether a client has received its ID. */
  isKnown: boolean;
  /** The number of running page requests. */
  asking: number;
  /** The number of clients that have read the first page but not the last. */
  unfinished: number;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * Serves people page by page.
 *
 * A session shows one moment, however long it lasts and whatever is imported meanwhile. The same query of the same data
 * shares a session.
 */
export class PeopleSessions {
  /** The least recently used comes first. */
  private readonly sessions = new Map<string, Session>();
  private readonly byQuery = new Map<string, Session>();
  private readonly writers = new FairSemaphore(WRITERS);
  private readonly endings = new Set<Promise<void>>();

  private constructor(
    private readonly datasets: Pick<Datasets, 'read' | 'stateOf'>,
    private readonly folder: string,
    private readonly limits: PeopleLimits,
  ) {}

  /**
   * Opens the sessions of a data folder and restores those of an earlier process that have not expired. No other
   * process may use them.
   */
  static async open(
    datasets: Pick<Datasets, 'read' | 'stateOf'>,
    dataFolder: string,
    limits = LIMITS,
  ): Promise<PeopleSessions> {
    const folder = join(dataFolder, 'sessions');
    await makeFolder(folder);
    const sessions = new PeopleSessions(datasets, folder, limits);
    for (const id of await readdir(folder)) await sessions.restore(id);
    return sessions;
  }

  /**
   * Returns a page, waiting until it is written.
   *
   * @throws {QueryError} for an invalid filter or session
   * @throws {ServiceError} if the dataset does not exist or there are too many sessions
   * @throws the reason of the signal
   */
  async page(
    access: Access,
    narrowing: DatasetFilter,
    request: PeopleRequest,
    signal?: AbortSignal,
  ): Promise<PeopleResult> {
    const { sessionId, page } = request;
    const query = sessionId === undefined ? await this.createQuery(access, narrowing, request) : undefined;
    const session =
      query === undefined
        ? this.getKnown(sessionId, access, narrowing, request)
        : (this.byQuery.get(query.key) ?? this.begin(query));
    this.sessions.delete(session.id);
    this.sessions.set(session.id, session);
    clearTimeout(session.expiry);
    session.asking++;
    try {
      const { people, total } = await session.snapshot.page(page, signal);
      session.isKnown = true;
      if (page === 0) session.unfinished++;
      if (people.length < PAGE_SIZE) session.unfinished = Math.max(0, session.unfinished - 1);
      return { page, pageSize: PAGE_SIZE, results: people, sessionId: session.id, total };
    } finally {
      session.asking--;
      if (session.asking === 0) this.release(session);
    }
  }

  /** Ends unfinished sessions, before the datasets are closed. Later processes restore the others. */
  async close(): Promise<void> {
    for (const session of this.sessions.values()) {
      clearTimeout(session.expiry);
      if (!session.isKnown || !session.snapshot.isWhole) this.end(session);
    }
    await Promise.all([...this.sessions.values()].map(({ written }) => written));
    await Promise.all(this.endings);
    this.sessions.clear();
    this.byQuery.clear();
  }

  private async restore(id: string): Promise<void> {
    const path = join(this.folder, id);
    const found = await PeopleSnapshot.find(path);
    const left = found === undefined ? 0 : found.usedAt + KEPT_MS - Date.now();
    if (found === undefined || left <= 0) {
      await rm(path, { recursive: true, force: true });
      return;
    }
    const { snapshot, selection, about } = found;
    const identity = { ...(about as Omit<SessionIdentity, keyof PeopleSelection>), ...selection };
    const state = { isKnown: true, asking: 0, unfinished: 0 };
    const rest = { key: undefined, abortController: new AbortController(), written: Promise.resolve() };
    const session: Session = { id, identity, snapshot, ...rest, ...state, expiry: undefined };
    session.expiry = setTimeout(() => this.end(session), Math.min(left, KEPT_MS)).unref();
    this.sessions.set(id, session);
  }

  private async createQuery(
    access: Access,
    narrowing: DatasetFilter,
    { where, distinctIds, page }: PeopleRequest,
  ): Promise<SessionQuery> {
    if (page > 0) throw createSessionError('A page after the first needs the session that the first came with.');
    const state = await this.datasets.stateOf(access, narrowing);
    const now = getCurrentTime();
    // A filter that reads the time is a different query each second.
    const asked = where !== undefined && check(where).readsTime ? now : undefined;
    const own = { token: access.project.token, ownDatasetId: access.datasetId, ownWhere: access.where };
    const key = JSON.stringify([state, own, narrowing, where, distinctIds, asked]);
    const moment = { now, timeZone: access.project.timeZone };
    return { access, ...own, narrowing, where, distinctIds, moment, key };
  }

  private getKnown(
    id: string | undefined,
    access: Access,
    narrowing: DatasetFilter,
    { where, distinctIds }: PeopleRequest,
  ): Session {
    const session = this.sessions.get(id ?? '');
    if (session === undefined || !isSameAccess(access, session.identity)) {
      throw createSessionError('There is no such session, or it has expired. Ask for the first page again.');
    }
    const { identity } = session;
    assertSame('where', where, identity.where);
    assertSame('distinct_ids', distinctIds, identity.distinctIds);
    assertSame('dataset_id', narrowing.datasetId, identity.narrowing.datasetId);
    assertSame('dataset_version', narrowing.versionId, identity.narrowing.versionId);
    return session;
  }

  private begin(query: SessionQuery): Session {
    this.makeRoom(query.token, this.limits.sessions, () => 1, 1);
    const id = makeSecret();
    const snapshot = new PeopleSnapshot(join(this.folder, id), query, query.moment);
    const abortController = new AbortController();
    const written = this.write(query, snapshot, abortController.signal);
    const state = { isKnown: false, asking: 0, unfinished: 0, expiry: undefined };
    const session: Session = { id, identity: query, key: query.key, snapshot, abortController, written, ...state };
    this.sessions.set(id, session);
    this.byQuery.set(query.key, session);
    // The next request retries a failed query.
    written.then(() => snapshot.hasFailed && this.unshare(session));
    return session;
  }

  private write(query: SessionQuery, snapshot: PeopleSnapshot, signal: AbortSignal): Promise<void> {
    const { access, token, ownDatasetId, ownWhere, narrowing } = query;
    return snapshot.write((work) => this.datasets.read(access, narrowing, work, { signal }), {
      signal,
      inBackground: (work) => this.inBackground(token, work),
      onPage: () => this.makeRoom(token, this.limits.bytes, (one) => one.snapshot.bytes, 0),
      about: { token, ownDatasetId, ownWhere, narrowing },
    });
  }

  private async inBackground(token: string, work: () => Promise<void>): Promise<void> {
    const leave = await this.writers.enter(token, (turn) => turn);
    try {
      await work();
    } finally {
      leave();
    }
  }

  /**
   * Ends finished sessions of a project, least recently used first, until there is room.
   *
   * A project may use at most as much as remains free.
   */
  private makeRoom(token: string, max: number, sizeOf: (session: Session) => number, more: number): void {
    const sum = (some: readonly Session[]) => some.reduce((total, session) => total + sizeOf(session), more);
    const all = [...this.sessions.values()];
    const own = all.filter(({ identity }) => identity.token === token);
    let excess = sum(own) + sum(all) - max;
    for (const session of own) {
      if (excess <= 0) return;
      if (session.asking > 0 || session.unfinished > 0) continue;
      // It counts both for the project and in the total.
      excess -= 2 * sizeOf(session);
      this.end(session);
    }
    if (excess > 0)
      throw new ServiceError(503, 'The project pages through too many people at once. Ask again in half an hour.');
  }

  /** Ends or schedules the expiry of a session that has no running requests. */
  private release(session: Session): void {
    if (!session.isKnown) {
      this.end(session);
      return;
    }
    session.expiry = setTimeout(() => this.end(session), KEPT_MS).unref();
    // If this fails, the session lasts only as long as this process.
    session.snapshot.touch().catch(() => undefined);
  }

  private end(session: Session): void {
    clearTimeout(session.expiry);
    this.sessions.delete(session.id);
    this.unshare(session);
    session.abortController.abort(new ServiceError(503, 'The session has ended. Ask again later.'));
    const ending = session.written.then(() => session.snapshot.remove()).finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  /** The next request for the same query starts a new session. */
  private unshare({ id, key }: Session): void {
    if (key !== undefined && this.byQuery.get(key)?.id === id) this.byQuery.delete(key);
  }
}
