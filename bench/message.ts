import type { Round } from './tasks/task.ts';
import type { TaskName } from './tasks/tasks.ts';

/** The work of a child process: an engine on a case. */
export interface Job {
  readonly task: TaskName;
  readonly engine: string;
  readonly case: string;
}

/** A reply of a child: one when it is ready, and then one per round. */
export type Reply =
  | { readonly kind: 'ready'; readonly rows: Uint32Array | undefined }
  | { readonly kind: 'round'; readonly round: Round }
  | { readonly kind: 'failed'; readonly failure: string };
