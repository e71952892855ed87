import { join } from 'node:path';
import type { Access, Datasets, Narrowing } from '../datasets/datasets.ts';
import { makeSecret } from '../datasets/secrets.ts';
import { ServiceError } from '../datasets/service-error.ts';
import { emptyFolder } from '../storage/empty-folder.ts';
import { currentTime } from '../util/current-time.ts';
import { Slots } from '../util/slots.ts';
import { PAGE_SIZE, PeopleSnapshot, type Person } from './people-snapshot.ts';
import { QueryError } from './query-error.ts';

/** How long a session stays after it was last used. */
const KEPT_MS = 30 * 60_000;

/** How many snapshots are written at once that nobody waits for. */
const WRITERS = 4;

/** What all sessions together may take. */
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

interface Question {
  readonly access: Access;
  readonly narrowing: Narrowing;
  readonly where: string | undefined;
  readonly now: number;
  /** The same for those that have the same answer. */
  readonly key: string;
}

/** People that are paged through, by one or several who asked the same. */
interface Session {
  readonly id: string;
  readonly question: Question;
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
  private readonly writers = new Slots(WRITERS);
  private readonly endings = new Set<Promise<void>>();

  private constructor(
    private readonly datasets: Pick<Datasets, 'read' | 'stateOf'>,
    private readonly folder: string,
    private readonly limits: PeopleLimits,
  ) {}

  /** Keeps sessions in a data folder, in which nobody else does. */
  static async open(
    datasets: Pick<Datasets, 'read' | 'stateOf'>,
    dataFolder: string,
    limits = LIMITS,
  ): Promise<PeopleSessions> {
    const folder = join(dataFolder, 'sessions');
    await emptyFolder(folder);
    return new PeopleSessions(datasets, folder, limits);
  }

  /**
   * A page, which is waited for where it is still to be written.
   *
   * @throws {QueryError} for a filter or a session that there is not; {@link ServiceError} for a dataset that there is not, and where there are too
   *   many sessions; the reason of the signal.
   */
  async page(
    access: Access,
    narrowing: Narrowing,
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

  /** Ends all sessions, before the datasets are closed. */
  async close(): Promise<void> {
    for (const session of this.sessions.values()) this.end(session);
    await Promise.all(this.endings);
  }

  private async questionOf(access: Access, narrowing: Narrowing, { where, page }: PeopleRequest): Promise<Question> {
    if (page > 0) throw noSession('A page after the first needs the session that the first came with.');
    const state = await this.datasets.stateOf(access, narrowing);
    const now = currentTime();
    // A filter that reads the time, or looks as if it did, is another one each second.
    const moment = /now/i.test(where ?? '') ? now : undefined;
    return { access, narrowing, where, now, key: JSON.stringify([state, narrowing, where, moment]) };
  }

  private known(id: string | undefined, access: Access, narrowing: Narrowing, { where }: PeopleRequest): Session {
    const session = this.sessions.get(id ?? '');
    if (session === undefined || !isSame(access, session.question.access)) {
      throw noSession('There is no such session, or it has expired. Ask for the first page again.');
    }
    const { question } = session;
    expectSame('where', where, question.where);
    expectSame('dataset_id', narrowing.datasetId, question.narrowing.datasetId);
    expectSame('dataset_version', narrowing.versionId, question.narrowing.versionId);
    return session;
  }

  private begin(question: Question): Session {
    this.makeRoom(() => this.sessions.size < this.limits.sessions);
    const id = makeSecret();
    const snapshot = new PeopleSnapshot(join(this.folder, id), question.where, question.now);
    const giveUp = new AbortController();
    const written = this.write(question, snapshot, giveUp.signal);
    const state = { isKnown: false, asking: 0, unfinished: 0, expiry: undefined };
    const session: Session = { id, question, snapshot, giveUp, written, ...state };
    this.sessions.set(id, session);
    this.byQuestion.set(question.key, session);
    // What failed is asked anew by the next.
    written.then(() => snapshot.hasFailed && this.forget(session));
    return session;
  }

  private write({ access, narrowing }: Question, snapshot: PeopleSnapshot, signal: AbortSignal): Promise<void> {
    return snapshot.write((work) => this.datasets.read(access, narrowing, work, { signal }), {
      signal,
      inBackground: (work) => this.writers.take(work),
      onPage: () => this.makeRoom(() => this.bytes <= this.limits.bytes),
    });
  }

  private get bytes(): number {
    return [...this.sessions.values()].reduce((sum, { snapshot }) => sum + snapshot.bytes, 0);
  }

  /** Ends sessions that everybody has seen the last page of, the one that was used longest ago first. */
  private makeRoom(isEnough: () => boolean): void {
    for (const session of this.sessions.values()) {
      if (isEnough()) return;
      if (session.asking === 0 && session.unfinished === 0) this.end(session);
    }
    if (!isEnough()) throw new ServiceError(503, 'Too many people are being paged through. Ask again later.');
  }

  /** Nobody asks for a page any more. */
  private leave(session: Session): void {
    if (!session.isKnown) this.end(session);
    else session.expiry = setTimeout(() => this.end(session), KEPT_MS).unref();
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
  private forget(session: Session): void {
    const { key } = session.question;
    if (this.byQuestion.get(key) === session) this.byQuestion.delete(key);
  }
}

function isSame(one: Access, other: Access): boolean {
  return one.project.name === other.project.name && one.datasetId === other.datasetId;
}

function expectSame(parameter: string, given: string | undefined, own: string | undefined): void {
  if (given === undefined || given === own) return;
  throw new QueryError('parameter', `The session is for another ${parameter}. Ask for the first page again.`, [
    parameter,
  ]);
}

function noSession(message: string): QueryError {
  return new QueryError('parameter', message, ['session_id']);
}
