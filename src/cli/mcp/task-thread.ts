import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createIo } from '../create-io.ts';
import type { Io } from '../io.ts';
import { runDataTask } from './data-task.ts';
import type { TaskThreadData } from './task-threads.ts';

/** The entry of the thread that runs a task. It sends the outcome. */
const { place, task } = workerData as TaskThreadData;

// Threads cannot change the mask of new files. The process has set it.
const io: Io = Object.create(createIo(process), { makeFilesPrivate: { value: () => undefined } });

(parentPort as MessagePort).postMessage(await runDataTask(io, place, task));
