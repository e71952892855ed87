import type { Schema } from '../../lang/check/schema.ts';
import { readSettings, type Settings } from './settings.ts';

export interface ConfigurationOptions {
  /** Reads a schema from a file whose path is relative to the workspace; an error says what is wrong. */
  readonly loadSchema: (path: string) => Promise<Schema>;
  /** Tells the user about a setting that is wrong. */
  readonly tell: (problem: string) => void;
  /** Called where documents may be judged differently from now on. */
  readonly changed: () => void;
}

/** The settings in force: what the client has written, with the schema read from its file. */
export class ClientConfiguration {
  settings: Settings = { use: 'value' };
  private written: unknown;
  private told: string | undefined;
  /** One reading after the other, so that the last one asked for is the one that counts. */
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly options: ConfigurationOptions) {}

  /** Takes what the client has written. */
  set(written: unknown): Promise<void> {
    this.written = written;
    return this.reread();
  }

  /** Reads the schema once more: its file may have changed. */
  reread(): Promise<void> {
    this.reading = this.reading.then(async () => {
      const before = JSON.stringify(this.settings);
      this.settings = await this.read();
      if (JSON.stringify(this.settings) !== before) this.options.changed();
    });
    return this.reading;
  }

  /** Without what is wrong of them, which is told once. */
  private async read(): Promise<Settings> {
    let settings: Settings = { use: 'value' };
    let problem: string | undefined;
    try {
      const { use, schema } = readSettings(this.written);
      settings = { use };
      if (schema !== undefined)
        settings = { use, schema: typeof schema === 'string' ? await this.options.loadSchema(schema) : schema };
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (problem !== undefined && problem !== this.told) this.options.tell(problem);
    this.told = problem;
    return settings;
  }
}
