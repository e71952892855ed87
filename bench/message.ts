import type { Round } from './tasks/task.ts';
import type { TaskName } from './tasks/tasks.ts';

/** What a child process is for: an engine on a case. */
export interface Job {
  readonly task: TaskName;
  readonly engine: string;
  readonly case: string;
}

/** What a child answers: once when it is ready, and then once for each round that it is asked for. */
export type Reply =
  | { readonly kind: 'ready'; readonly rows: Uint32Array | undefined }
  | { readonly kind: 'round'; readonly round: Round }
  | { readonly kind: 'failed'; readonly failure: string };
