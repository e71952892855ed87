import { EventEmitter, once } from 'node:events';
import { ServiceError } from '../datasets/errors.ts';
import { reportFullDisk } from '../datasets/report-full-disk.ts';
import { PageFile } from '../storage/page-file.ts';
import type { StoreSnapshot } from '../store/store-snapshot.ts';
import { assertPageSize, PAGE_SIZE } from './answer-limits.ts';
import { type FoundPerson, PeopleQuery } from './people-query.ts';

/** How long pages are not written that nobody has asked for. Whatever they are read from is kept meanwhile. */
const SPARED_MS = 1_000;

const NO_ROOM = 'The server cannot write to its disk, which pages of people take. Ask again later.';

/** A person as the published interface shows it. */
export interface Person {
  readonly $distinct_id: string;
  readonly $properties: object;
}

export interface PeoplePage {
  readonly people: readonly Person[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** How the pages are written. */
export interface SnapshotWriter {
  /** Gives it up, and says why. */
  readonly signal: AbortSignal;
  /** What is not waited for waits for others of its kind. */
  readonly inBackground: (work: () => Promise<void>) => Promise<void>;
  /** Told of each page; what it throws ends the writing. */
  readonly onPage: () => void;
  /** For a later process, which has only the pages otherwise: in JSON. */
  readonly about: object;
}

interface SavedSnapshot {
  readonly total: number;
  readonly where?: string;
  readonly now: number;
}

/** A snapshot of an earlier process. */
export interface FoundSnapshot {
  readonly snapshot: PeopleSnapshot;
  readonly where: string | undefined;
  readonly now: number;
  /** As it was written beside the pages. */
  readonly about: object;
  /** In milliseconds since 1970. */
  readonly usedAt: number;
}

/** The people that a filter selects at one moment, page by page in a file. The first pages are read while others are still written. */
export class PeopleSnapshot {
  private readonly progress = new EventEmitter().setMaxListeners(0);
  private file: PageFile | undefined;
  private total: number | undefined;
  private failure: Error | undefined;
  /** Whether a page was asked for that is not the first. */
  private isWanted = false;

  constructor(
    private readonly path: string,
    private readonly where: string | undefined,
    private readonly now: number,
  ) {}

  /** One that an earlier process wrote; undefined where it did not write all of it. */
  static async find(path: string): Promise<FoundSnapshot | undefined> {
    const found = await PageFile.find(path);
    if (found === undefined) return undefined;
    const { total, where, now, ...about } = found.about as SavedSnapshot;
    const snapshot = new PeopleSnapshot(path, where, now);
    snapshot.file = found.file;
    snapshot.total = total;
    return { snapshot, where, now, about, usedAt: found.usedAt };
  }

  get bytes(): number {
    return this.file?.bytes ?? 0;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /**
   * A page by its number; one that is still to be written is waited for.
   *
   * @throws the reason of the signal; what writing them failed with.
   */
  async page(number: number, signal: AbortSignal | undefined): Promise<PeoplePage> {
    if (number > 0) this.want();
    while (this.failure === undefined && !this.isKnown(number)) await this.change(signal);
    if (this.failure !== undefined) throw this.failure;
    const { file, total = 0 } = this;
    const isBeyond = file === undefined || number * PAGE_SIZE >= total;
    return { people: isBeyond ? [] : JSON.parse(await file.read(number)), total };
  }

  /** Writes all pages. What that fails with is told to whoever asks for one. */
  async write(
    read: (work: (reading: StoreSnapshot) => Promise<number>) => Promise<number>,
    writing: SnapshotWriter,
  ): Promise<void> {
    try {
      const file = await reportFullDisk(PageFile.create(this.path), NO_ROOM);
      this.file = file;
      this.total = await read((reading) => this.writeFrom(reading, file, writing));
    } catch (error) {
      this.failure = error as Error;
    }
    this.progress.emit('change');
    const { total, where, now } = this;
    const saved = { ...writing.about, total, where, now };
    // Where the disk takes no more, a later process does not find it.
    await this.file?.finish(this.hasFailed ? undefined : saved).catch(() => undefined);
    if (this.hasFailed) await this.remove();
  }

  /** Whether a later process will find it. */
  get isWhole(): boolean {
    return this.total !== undefined && !this.hasFailed && (this.file?.length ?? 0) * PAGE_SIZE >= this.total;
  }

  /** Says that it is used now. */
  async touch(): Promise<void> {
    await this.file?.touch();
  }

  /** Removes what is written, when it is written no more. */
  async remove(): Promise<void> {
    await this.file?.remove();
  }

  private async writeFrom(
    reading: StoreSnapshot,
    file: PageFile,
    { signal, inBackground, onPage }: SnapshotWriter,
  ): Promise<number> {
    // Where the database ended under it, the next reading is of another moment than the pages that were shown.
    if (this.total !== undefined) throw new ServiceError(503, 'The session has ended. Ask for the first page again.');
    const question = new PeopleQuery(reading, this.where, this.now);
    const add = async (people: readonly FoundPerson[]) => {
      signal.throwIfAborted();
      const added = file.add(textOf(people));
      this.progress.emit('change');
      await reportFullDisk(added, NO_ROOM);
      onPage();
    };
    await file.clear();
    const counted = await question.count();
    if (!reading.isSnapshot) return addPages(question.all(0), add);
    const first = await question.first(PAGE_SIZE);
    this.total = counted;
    await add(first);
    if (counted > PAGE_SIZE) {
      await this.wanted(signal);
      await inBackground(async () => {
        signal.throwIfAborted();
        await addPages(question.all(PAGE_SIZE), add);
      });
    }
    return counted;
  }

  private want(): void {
    this.isWanted = true;
    this.progress.emit('wanted');
  }

  /** Most people look at the first page only: it goes out before the others take the processors. */
  private async wanted(signal: AbortSignal): Promise<void> {
    if (this.isWanted) return;
    const ends = AbortSignal.any([signal, AbortSignal.timeout(SPARED_MS)]);
    await once(this.progress, 'wanted', { signal: ends }).catch(() => signal.throwIfAborted());
  }

  private isKnown(number: number): boolean {
    if (this.total === undefined || this.file === undefined) return false;
    return number < this.file.length || number * PAGE_SIZE >= this.total;
  }

  private async change(signal: AbortSignal | undefined): Promise<void> {
    try {
      await once(this.progress, 'change', signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}

/** Answers how many they are. */
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

/** Their properties are JSON already. */
function textOf(people: readonly FoundPerson[]): string {
  const texts = people.map(
    ({ id, properties }) => `{"$distinct_id":${JSON.stringify(id)},"$properties":${properties}}`,
  );
  return `[${texts.join(',')}]`;
}
