import { isOutOfFiles } from '../../storage/files.ts';
import type { ReportEvent } from '../service-event.ts';
import type { TellDamage } from './errors.ts';

/** Tracks the files that could not be read on their last access. Reports each once. */
export class DamagedFiles {
  private readonly paths = new Set<string>();

  constructor(private readonly report: ReportEvent) {}

  has(path: string): boolean {
    return this.paths.has(path);
  }

  readonly tell: TellDamage = (error) => this.add(error.path, error);

  /**
   * Returns the result of `read`. Reports a failure and returns undefined, so that one damaged file affects nothing
   * else.
   */
  async read<T>(path: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const content = await read();
      this.paths.delete(path);
      return content;
    } catch (error) {
      if (isOutOfFiles(error)) throw error;
      this.add(path, error as Error);
      return undefined;
    }
  }

  private add(path: string, error: Error): void {
    if (!this.paths.has(path)) this.report({ kind: 'file damaged', path, error });
    this.paths.add(path);
  }
}
