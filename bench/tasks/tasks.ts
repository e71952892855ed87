import { adHoc } from './ad-hoc.ts';
import { compile } from './compile.ts';
import { speed } from './speed.ts';
import type { Task } from './task.ts';

/** All tasks, by the names that child processes receive. */
export const TASKS = { speed, compile, adHoc } satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;
