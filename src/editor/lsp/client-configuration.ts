import type { Schema } from '../../lang/check/schema.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from './settings.ts';

export interface ConfigurationOptions {
  /** Reads a schema from a file. The path is relative to the workspace. Rejects with an error for the user. */
  readonly loadSchema: (path: string) => Promise<Schema>;
  /** Shows the user an error in the settings. */
  readonly showError: (problem: string) => void;
  /** Called when the settings have changed, so that diagnostics may be different. */
  readonly onChange: () => void;
}

/** The current settings: those of the client, with the schema loaded from its file. */
export class ClientConfiguration {
  settings = DEFAULT_SETTINGS;
  private written: unknown;
  private shownProblem: string | undefined;
  /** Reads one at a time, so that the last one wins. */
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly options: ConfigurationOptions) {}

  /** Sets the settings that the client has sent. */
  set(written: unknown): Promise<void> {
    this.written = written;
    return this.reload();
  }

  /** Loads the schema again: its file may have changed. */
  reload(): Promise<void> {
    this.reading = this.reading.then(async () => {
      const before = JSON.stringify(this.settings);
      this.settings = await this.read();
      if (JSON.stringify(this.settings) !== before) this.options.onChange();
    });
    return this.reading;
  }

  /** Returns the settings, or the defaults if they are invalid. Shows each problem once. */
  private async read(): Promise<Settings> {
    let settings = DEFAULT_SETTINGS;
    let problem: string | undefined;
    try {
      const { schema, ...others } = readSettings(this.written);
      settings = others;
      if (schema !== undefined)
        settings = { ...others, schema: typeof schema === 'string' ? await this.options.loadSchema(schema) : schema };
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (problem !== undefined && problem !== this.shownProblem) this.options.showError(problem);
    this.shownProblem = problem;
    return settings;
  }
}
