import { type ReadonlySignal, signal } from '@preact/signals';
import type { EventClient } from '../events/event-client.ts';
import type { EventsSource, LoadProgress, ReadingChoices } from '../events/messages.ts';
import { NO_CHOICES, readServedFile } from './served-file.ts';
import { WorkerApi } from './worker-api.ts';

interface Opened {
  readonly source: EventsSource;
  readonly choices: ReadingChoices;
}

/** The file of the page: how it is chosen and read. */
export class FileSource {
  /** How the file is read, as far as someone has chosen it. */
  readonly choices = signal<ReadingChoices>(NO_CHOICES);
  /** The events that others have replaced, as they were read. */
  readonly before = signal<Opened | undefined>(undefined);
  readonly api: WorkerApi;
  private source: EventsSource | undefined;

  /**
   * @param client The worker that holds the events.
   * @param progress How far it has read them.
   */
  constructor(
    private readonly client: EventClient,
    readonly progress: ReadonlySignal<LoadProgress | undefined>,
  ) {
    this.api = new WorkerApi(client, progress);
  }

  /** Opens the file that `onwhere play` serves, or the sample. */
  openFirst(): void {
    const served = readServedFile();
    if (served === undefined) this.open({ kind: 'sample' });
    else this.open({ kind: 'served', name: served.name }, served.choices);
  }

  /** Opens the first of some files. */
  openFirstOf(files: FileList | null | undefined): void {
    const [file] = files ?? [];
    if (file !== undefined) this.open({ kind: 'file', file });
  }

  open(source: EventsSource, choices: ReadingChoices = NO_CHOICES): void {
    if (this.source !== undefined) this.before.value = { source: this.source, choices: this.choices.value };
    this.read(source, choices);
  }

  /** Reads the same file again in another way. */
  reopen(choices: ReadingChoices): void {
    if (this.source !== undefined) this.read(this.source, choices);
  }

  private read(source: EventsSource, choices: ReadingChoices): void {
    this.source = source;
    this.choices.value = choices;
    this.client.open(source, choices);
  }
}
