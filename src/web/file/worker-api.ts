import type { ReadonlySignal } from '@preact/signals';
import type { EventClient } from '../events/event-client.ts';
import type { LoadProgress } from '../events/messages.ts';
import { formatFileCommand } from '../shared/command-line.ts';
import { ApiError, type QueryApi, type RequestParameters, type ShellCommand } from '../shared/query-api.ts';

/** Asks the file in the browser. */
export class WorkerApi implements QueryApi {
  readonly hasAnnotations = false;

  /** @param progress What is known of the file. */
  constructor(
    private readonly client: EventClient,
    private readonly progress: ReadonlySignal<LoadProgress | undefined>,
  ) {}

  get obstacle(): string | undefined {
    return this.progress.value?.done === true ? undefined : 'The file is still being read.';
  }

  get emptyHint(): string {
    return this.progress.value?.events === 0
      ? 'The file has no events. Open another one under Source.'
      : 'No event of the file has a name, a time and a user. Choose the columns that hold them, or explore the file.';
  }

  async post(path: string, parameters: RequestParameters, signal?: AbortSignal): Promise<unknown> {
    const answer = await this.client.request(path, parameters);
    signal?.throwIfAborted();
    if ('json' in answer) return JSON.parse(answer.json);
    throw new ApiError(answer.status, answer.message);
  }

  async readLines(path: string, parameters: RequestParameters, limit: number): Promise<readonly string[]> {
    const answer = await this.client.request(path, parameters);
    if (!('json' in answer)) throw new ApiError(answer.status, answer.message);
    return answer.json.split('\n', limit).filter((line) => line !== '');
  }

  formatCommands(path: string, parameters: RequestParameters): readonly ShellCommand[] {
    return [
      {
        name: 'onwhere',
        title: 'onwhere command',
        text: formatFileCommand(
          { name: this.progress.value?.name ?? '', timeZone: this.client.timeZone },
          path,
          parameters,
        ),
      },
    ];
  }
}
