import { isJsonObject } from '../../../base/json.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import type { Annotation, Days, Note } from '../../../queries/services.ts';
import type { TellDamage } from '../files/errors.ts';
import { paths } from '../files/paths.ts';
import { NumberedFiles } from './numbered-files.ts';

/** Stores the annotations of projects. */
export class Annotations {
  private readonly files: NumberedFiles<Note>;

  /** Passes each file that cannot be read to `tell`. */
  constructor(
    private readonly dataFolder: string,
    tell: TellDamage = () => undefined,
  ) {
    this.files = new NumberedFiles(isNote, tell);
  }

  /** Returns the annotations within `days`, ordered by date. */
  async list(project: string, { from, to }: Days = {}): Promise<Annotation[]> {
    const annotations = (await this.files.all(this.folderOf(project))).filter(({ date }) => {
      const day = date.slice(0, 10);
      return (from === undefined || day >= from) && (to === undefined || day <= to);
    });
    return annotations.sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date)));
  }

  /** @throws {ServiceError} 400 for an invalid date */
  create(project: string, note: Note): Promise<Annotation> {
    return this.files.add(this.folderOf(project), checkNote(note));
  }

  /**
   * Replaces an annotation and returns whether it exists.
   *
   * @throws {ServiceError} 400 for an invalid date
   */
  update(project: string, id: number, note: Note): Promise<boolean> {
    return this.files.replace(this.folderOf(project), id, checkNote(note));
  }

  /** Removes an annotation and returns whether it existed. */
  remove(project: string, id: number): Promise<boolean> {
    return this.files.remove(this.folderOf(project), id);
  }

  private folderOf(project: string): string {
    return paths.annotations(this.dataFolder, project);
  }
}

function checkNote({ date, description }: Note): Note {
  if (!isDate(date)) throw new ServiceError(400, 'Invalid parameter: date. It takes a time, `yyyy-mm-dd HH:MM:SS`.');
  return { date, description };
}

function isNote(json: unknown): json is Note {
  return isJsonObject(json) && typeof json.description === 'string' && isDate(String(json.date));
}

function isDate(date: string): boolean {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date)) return false;
  const iso = `${date.replace(' ', 'T')}.000Z`;
  const time = new Date(iso);
  return !Number.isNaN(time.getTime()) && time.toISOString() === iso;
}
