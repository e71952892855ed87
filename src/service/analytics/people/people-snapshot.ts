import { EventEmitter, once } from 'node:events';
import { parseJson } from '../../../base/parse-json.ts';
import { assertPageSize, PAGE_SIZE } from '../../../queries/answer-limits.ts';
import type { PeopleSelection, Person } from '../../../queries/people.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import { PageFile } from '../../storage/page-file.ts';
import { reportFullDisk } from '../../storage/report-full-disk.ts';
import type { QueryMoment } from '../../store/filter-snapshot.ts';
import type { StoreSnapshot } from '../../store/store-snapshot.ts';
import { type FoundPerson, PeopleQuery } from './people-query.ts';

/**
 * How long writing pauses after the first page until another is requested. The snapshot it reads stays open meanwhile.
 */
const SPARED_MS = 1_000;

const NO_ROOM = 'The server cannot write to its disk, which pages of people take. Ask again later.';

export interface PeoplePage {
  readonly people: readonly Person[];
  /** The number of people on all pages. */
  readonly total: number;
}

/** Options for writing pages. */
export interface SnapshotWriter {
  /** Cancels the writing, with a reason. */
  readonly signal: AbortSignal;
  /** Runs work that no request waits for, a limited number at a time. */
  readonly inBackground: (work: () => Promise<void>) => Promise<void>;
  /** Called for each page; an error it throws ends the writing. */
  readonly onPage: () => void;
  /** JSON saved with the pages for a later process. */
  readonly about: object;
}

interface SavedSnapshot extends QueryMoment {
  readonly total: number;
  readonly where?: string;
  readonly distinctIds?: readonly string[];
}

/** A snapshot that an earlier process wrote. */
export interface FoundSnapshot {
  readonly snapshot: PeopleSnapshot;
  readonly selection: PeopleSelection;
  /** The JSON saved with the pages. */
  readonly about: object;
  /** The time of its last use, in milliseconds since 1970. */
  readonly usedAt: number;
}

/**
 * The people that a filter selects at one moment, in a file of pages. The first pages can be read while others are
 * written.
 */
export class PeopleSnapshot {
  private readonly progress = new EventEmitter().setMaxListeners(0);
  private file: PageFile | undefined;
  private total: number | undefined;
  private failure: Error | undefined;
  /** Whether a page after the first was requested. */
  private isWanted = false;

  constructor(
    private readonly path: string,
    private readonly selection: PeopleSelection,
    private readonly moment: QueryMoment,
  ) {}

  /** Opens a snapshot that an earlier process wrote; undefined if it is incomplete. */
  static async find(path: string): Promise<FoundSnapshot | undefined> {
    const found = await PageFile.find(path);
    if (found === undefined) return undefined;
    const { total, where, distinctIds, now, timeZone, ...about } = found.about as SavedSnapshot;
    const snapshot = new PeopleSnapshot(path, { where, distinctIds }, { now, timeZone });
    snapshot.file = found.file;
    snapshot.total = total;
    return { snapshot, selection: { where, distinctIds }, about, usedAt: found.usedAt };
  }

  get bytes(): number {
    return this.file?.bytes ?? 0;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /**
   * Returns a page by its number, waiting until it is written.
   *
   * @throws the reason of the signal, or the error that ended the writing
   */
  async page(number: number, signal: AbortSignal | undefined): Promise<PeoplePage> {
    if (number > 0) this.want();
    while (this.failure === undefined && !this.isKnown(number)) await this.waitForChange(signal);
    if (this.failure !== undefined) throw this.failure;
    const { file, total = 0 } = this;
    const isBeyond = file === undefined || number * PAGE_SIZE >= total;
    return { people: isBeyond ? [] : (parseJson(await file.read(number)) as Person[]), total };
  }

  /** Writes all pages. An error is rethrown by {@link page}. */
  async write(
    read: (work: (snapshot: StoreSnapshot) => Promise<number>) => Promise<number>,
    writing: SnapshotWriter,
  ): Promise<void> {
    try {
      const file = await reportFullDisk(PageFile.create(this.path), NO_ROOM);
      this.file = file;
      this.total = await read((snapshot) => this.writeFrom(snapshot, file, writing));
    } catch (error) {
      this.failure = error as Error;
    }
    this.progress.emit('change');
    const { total, selection, moment } = this;
    const { where, distinctIds } = selection;
    const saved = { ...writing.about, total, where, distinctIds, ...moment };
    // If the disk is full, a later process does not find the snapshot.
    await this.file?.finish(this.hasFailed ? undefined : saved).catch(() => undefined);
    if (this.hasFailed) await this.remove();
  }

  /** Whether all pages are written, so that a later process can find it. */
  get isWhole(): boolean {
    return this.total !== undefined && !this.hasFailed && (this.file?.length ?? 0) * PAGE_SIZE >= this.total;
  }

  /** Updates the time of its last use. */
  async touch(): Promise<void> {
    await this.file?.touch();
  }

  /** Removes the file once writing has ended. */
  async remove(): Promise<void> {
    await this.file?.remove();
  }

  private async writeFrom(
    snapshot: StoreSnapshot,
    file: PageFile,
    { signal, inBackground, onPage }: SnapshotWriter,
  ): Promise<number> {
    // If the database ended, a second read would see another moment than the pages already shown.
    if (this.total !== undefined) throw new ServiceError(503, 'The session has ended. Ask for the first page again.');
    const query = new PeopleQuery(snapshot, this.selection, this.moment);
    const add = async (people: readonly FoundPerson[]) => {
      signal.throwIfAborted();
      const added = file.add(stringifyPage(people));
      this.progress.emit('change');
      await reportFullDisk(added, NO_ROOM);
      onPage();
    };
    await file.clear();
    const counted = await query.count();
    if (!snapshot.isSnapshot) return addPages(query.all(0), add);
    const first = await query.first(PAGE_SIZE);
    this.total = counted;
    await add(first);
    if (counted > PAGE_SIZE) {
      await this.waitUntilWanted(signal);
      await inBackground(async () => {
        signal.throwIfAborted();
        await addPages(query.all(PAGE_SIZE), add);
      });
    }
    return counted;
  }

  private want(): void {
    this.isWanted = true;
    this.progress.emit('wanted');
  }

  /**
   * Waits until another page is requested or the pause ends: most clients read only the first page, which should not
   * wait for the others.
   */
  private async waitUntilWanted(signal: AbortSignal): Promise<void> {
    if (this.isWanted) return;
    const pause = new AbortController();
    // Node.js 20 may collect an `AbortSignal.timeout` that only `AbortSignal.any` refers to, and the pause never ends.
    const timer = setTimeout(() => pause.abort(), SPARED_MS);
    const ends = AbortSignal.any([signal, pause.signal]);
    try {
      await once(this.progress, 'wanted', { signal: ends }).catch(() => signal.throwIfAborted());
    } finally {
      clearTimeout(timer);
    }
  }

  private isKnown(number: number): boolean {
    if (this.total === undefined || this.file === undefined) return false;
    return number < this.file.length || number * PAGE_SIZE >= this.total;
  }

  private async waitForChange(signal: AbortSignal | undefined): Promise<void> {
    try {
      await once(this.progress, 'change', signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}

/** Writes people as pages and returns their number. */
async function addPages(
  found: AsyncIterable<readonly FoundPerson[]>,
  add: (people: readonly FoundPerson[]) => Promise<void>,
): Promise<number> {
  let [total, characters] = [0, 0];
  let people: FoundPerson[] = [];
  for await (const some of found) {
    total += some.length;
    for (const person of some) {
      people.push(person);
      characters += person.properties.length;
      assertPageSize(characters);
      if (people.length < PAGE_SIZE) continue;
      await add(people);
      people = [];
      characters = 0;
    }
  }
  if (people.length > 0) await add(people);
  return total;
}

/** Returns a page as JSON. The properties are JSON already. */
function stringifyPage(people: readonly FoundPerson[]): string {
  const items = people.map(
    ({ id, properties }) => `{"$distinct_id":${JSON.stringify(id)},"$properties":${properties}}`,
  );
  return `[${items.join(',')}]`;
}
