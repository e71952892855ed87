import { adHoc } from './ad-hoc.ts';
import { compile } from './compile.ts';
import { speed } from './speed.ts';
import type { Task } from './task.ts';

/** Every task, by the name by which a process is told which one to run. */
export const TASKS = { speed, compile, adHoc } satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;
