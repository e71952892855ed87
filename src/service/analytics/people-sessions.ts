import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getCurrentTime } from '../../lang/util/current-time.ts';
import { FairSemaphore } from '../../lang/util/fair-semaphore.ts';
import type { Access } from '../datasets/access.ts';
import type { DatasetFilter, Datasets } from '../datasets/datasets.ts';
import { ServiceError } from '../datasets/errors.ts';
import { makeSecret } from '../datasets/secrets.ts';
import { makeFolder } from '../storage/files.ts';
import { PAGE_SIZE } from './answer-limits.ts';
import { QueryError } from './errors.ts';
import { PeopleSnapshot, type Person } from './people-snapshot.ts';

/** How long a session stays after it was last used. */
const KEPT_MS = 30 * 60_000;

/** How many snapshots are written at once that nobody waits for. */
const WRITERS = 4;

/** The room for all sessions, of which each project may have as much as is free. */
export interface PeopleLimits {
  readonly sessions: number;
  /** On disk, where people take about a fifth of their JSON. */
  readonly bytes: number;
}

const LIMITS: PeopleLimits = { sessions: 10_000, bytes: 4 * 2 ** 30 };

/** A page of the people that a filter selects. */
export interface PeopleRequest {
  /** Without it, all; the session has its own. */
  readonly where?: string | undefined;
  /** What the first page was answered with. */
  readonly sessionId?: string | undefined;
  /** From 0 on; others than the first have a session. */
  readonly page: number;
}

export interface PeopleResult {
  readonly page: number;
  readonly pageSize: number;
  readonly results: readonly Person[];
  readonly sessionId: string;
  /** How many people there are on all pages. */
  readonly total: number;
}

/** The part of a question that is kept, so that nobody else is answered. */
interface Asked {
  readonly token: string;
  readonly ownDatasetId: string | undefined;
  /** The filter of whoever asks, besides that of the question. */
  readonly ownWhere: string | undefined;
  readonly narrowing: DatasetFilter;
  readonly where: string | undefined;
}

interface Question extends Asked {
  readonly access: Access;
  readonly now: number;
  /** The same for those that have the same answer. */
  readonly key: string;
}

/** People that are paged through, by one or several who asked the same. */
interface Session {
  readonly id: string;
  readonly asked: Asked;
  /** The same for those that have the same answer; undefined where an earlier process knew it. */
  readonly key: string | undefined;
  readonly snapshot: PeopleSnapshot;
  readonly giveUp: AbortController;
  readonly written: Promise<void>;
  /** Whether somebody knows its id. */
  isKnown: boolean;
  /** Pages that are asked for at the moment. */
  asking: number;
  /** How many have seen the first page and not the last. */
  unfinished: number;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * People, page by page. What a session shows is as it was at one moment, however long that takes and whatever is imported meanwhile. Who asks the same of the
 * same data gets the same session.
 */
export class PeopleSessions {
  /** The one that was used last comes last. */
  private readonly sessions = new Map<string, Session>();
  private readonly byQuestion = new Map<string, Session>();
  private readonly writers = new FairSemaphore(WRITERS);
  private readonly endings = new Set<Promise<void>>();

  private constructor(
    private readonly datasets: Pick<Datasets, 'read' | 'stateOf'>,
    private readonly folder: string,
    private readonly limits: PeopleLimits,
  ) {}

  /** Keeps sessions in a data folder, in which nobody else does, and those of an earlier process that have not expired. */
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
   * A page, which is waited for where it is still to be written.
   *
   * @throws {QueryError} for a filter or a session that there is not; {@link ServiceError} for a dataset that there is not, and where there are too
   *   many sessions; the reason of the signal.
   */
  async page(
    access: Access,
    narrowing: DatasetFilter,
    request: PeopleRequest,
    signal?: AbortSignal,
  ): Promise<PeopleResult> {
    const { sessionId, page } = request;
    const question = sessionId === undefined ? await this.questionOf(access, narrowing, request) : undefined;
    const session =
      question === undefined
        ? this.known(sessionId, access, narrowing, request)
        : (this.byQuestion.get(question.key) ?? this.begin(question));
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
      if (session.asking === 0) this.leave(session);
    }
  }

  /** Ends the sessions that are still written, before the datasets are closed. Later processes find the others. */
  async close(): Promise<void> {
    for (const session of this.sessions.values()) {
      clearTimeout(session.expiry);
      if (!session.isKnown || !session.snapshot.isWhole) this.end(session);
    }
    await Promise.all([...this.sessions.values()].map(({ written }) => written));
    await Promise.all(this.endings);
    this.sessions.clear();
    this.byQuestion.clear();
  }

  private async restore(id: string): Promise<void> {
    const path = join(this.folder, id);
    const found = await PeopleSnapshot.find(path);
    const left = found === undefined ? 0 : found.usedAt + KEPT_MS - Date.now();
    if (found === undefined || left <= 0) {
      await rm(path, { recursive: true, force: true });
      return;
    }
    const { snapshot, where, about } = found;
    const asked = { ...(about as Omit<Asked, 'where'>), where };
    const state = { isKnown: true, asking: 0, unfinished: 0 };
    const rest = { key: undefined, giveUp: new AbortController(), written: Promise.resolve() };
    const session: Session = { id, asked, snapshot, ...rest, ...state, expiry: undefined };
    session.expiry = setTimeout(() => this.end(session), Math.min(left, KEPT_MS)).unref();
    this.sessions.set(id, session);
  }

  private async questionOf(
    access: Access,
    narrowing: DatasetFilter,
    { where, page }: PeopleRequest,
  ): Promise<Question> {
    if (page > 0) throw noSession('A page after the first needs the session that the first came with.');
    const state = await this.datasets.stateOf(access, narrowing);
    const now = getCurrentTime();
    // A filter that reads the time, or looks as if it did, is another one each second.
    const moment = /now/i.test(where ?? '') ? now : undefined;
    const own = { token: access.project.token, ownDatasetId: access.datasetId, ownWhere: access.where };
    const key = JSON.stringify([state, own, narrowing, where, moment]);
    return { access, ...own, narrowing, where, now, key };
  }

  private known(id: string | undefined, access: Access, narrowing: DatasetFilter, { where }: PeopleRequest): Session {
    const session = this.sessions.get(id ?? '');
    if (session === undefined || !isSame(access, session.asked)) {
      throw noSession('There is no such session, or it has expired. Ask for the first page again.');
    }
    const { asked } = session;
    assertSame('where', where, asked.where);
    assertSame('dataset_id', narrowing.datasetId, asked.narrowing.datasetId);
    assertSame('dataset_version', narrowing.versionId, asked.narrowing.versionId);
    return session;
  }

  private begin(question: Question): Session {
    this.makeRoom(question.token, this.limits.sessions, () => 1, 1);
    const id = makeSecret();
    const snapshot = new PeopleSnapshot(join(this.folder, id), question.where, question.now);
    const giveUp = new AbortController();
    const written = this.write(question, snapshot, giveUp.signal);
    const state = { isKnown: false, asking: 0, unfinished: 0, expiry: undefined };
    const session: Session = { id, asked: question, key: question.key, snapshot, giveUp, written, ...state };
    this.sessions.set(id, session);
    this.byQuestion.set(question.key, session);
    // What failed is asked anew by the next.
    written.then(() => snapshot.hasFailed && this.forget(session));
    return session;
  }

  private write(question: Question, snapshot: PeopleSnapshot, signal: AbortSignal): Promise<void> {
    const { access, token, ownDatasetId, ownWhere, narrowing } = question;
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
   * Ends sessions of a project that everybody has seen the last page of, the one that was used longest ago first, until there is room for more of it.
   * A project has no more than is free besides.
   */
  private makeRoom(token: string, most: number, sizeOf: (session: Session) => number, more: number): void {
    const sum = (some: readonly Session[]) => some.reduce((total, session) => total + sizeOf(session), more);
    const all = [...this.sessions.values()];
    const own = all.filter(({ asked }) => asked.token === token);
    let excess = sum(own) + sum(all) - most;
    for (const session of own) {
      if (excess <= 0) return;
      if (session.asking > 0 || session.unfinished > 0) continue;
      // It counts for the project and for all.
      excess -= 2 * sizeOf(session);
      this.end(session);
    }
    if (excess > 0)
      throw new ServiceError(503, 'The project pages through too many people at once. Ask again in half an hour.');
  }

  /** Nobody asks for a page any more. */
  private leave(session: Session): void {
    if (!session.isKnown) {
      this.end(session);
      return;
    }
    session.expiry = setTimeout(() => this.end(session), KEPT_MS).unref();
    // Where that fails, the session is kept as long as this process is.
    session.snapshot.touch().catch(() => undefined);
  }

  private end(session: Session): void {
    clearTimeout(session.expiry);
    this.sessions.delete(session.id);
    this.forget(session);
    session.giveUp.abort(new ServiceError(503, 'The session has ended. Ask again later.'));
    const ending = session.written.then(() => session.snapshot.remove()).finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  /** Whoever asks the same gets another session. */
  private forget({ id, key }: Session): void {
    if (key !== undefined && this.byQuestion.get(key)?.id === id) this.byQuestion.delete(key);
  }
}

function isSame({ project, datasetId, where }: Access, asked: Asked): boolean {
  return project.token === asked.token && datasetId === asked.ownDatasetId && where === asked.ownWhere;
}

function assertSame(parameter: string, given: string | undefined, own: string | undefined): void {
  if (given === undefined || given === own) return;
  throw new QueryError('parameter', `The session is for another ${parameter}. Ask for the first page again.`, [
    parameter,
  ]);
}

function noSession(message: string): QueryError {
  return new QueryError('parameter', message, ['session_id']);
}
