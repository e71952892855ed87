import { EventClient, type EventListener } from '../events/event-client.ts';
import type { EventsSource, LoadProgress, ReadingChoices } from '../events/messages.ts';
import { getById } from '../shared/dom.ts';
import { ReadingView } from './reading-view.ts';
import { NO_CHOICES, readServedFile } from './served-file.ts';
import { SourceView } from './source-view.ts';
import { WorkerApi } from './worker-api.ts';

/** The file of the page: how it is chosen and read, and the worker that holds its events. */
export class FileSource {
  readonly client: EventClient;
  readonly api: WorkerApi;
  private source: EventsSource = { kind: 'sample' };
  private readonly view = new SourceView((source) => this.open(source));
  private readonly reading = new ReadingView(getById('reading'), (choices) => this.open(this.source, choices));

  constructor(private readonly listener: EventListener) {
    this.client = new EventClient({ ...listener, onProgress: (progress) => this.showProgress(progress) });
    this.api = new WorkerApi(this.client);
  }

  /** Opens the file that `onwhere play` serves, or the sample. */
  openFirst(): void {
    const served = readServedFile();
    if (served === undefined) this.open({ kind: 'sample' });
    else this.open({ kind: 'served', name: served.name }, served.choices);
  }

  private open(source: EventsSource, choices: ReadingChoices = NO_CHOICES): void {
    this.source = source;
    this.reading.set(choices);
    this.client.open(source, choices);
  }

  private showProgress(progress: LoadProgress): void {
    this.api.file = progress;
    this.view.show(progress);
    this.reading.show(progress);
    this.listener.onProgress(progress);
  }
}
