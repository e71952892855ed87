import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ChunkProcessor } from './chunk-processor.ts';
import type { Job } from './job.ts';

/** The entry of a thread that does its share of a task: answers each block of lines that it is sent. */
const port = parentPort as MessagePort;
const share = new ChunkProcessor(workerData as Job);

port.on('message', ({ buffer, byteLength }: Uint8Array<ArrayBuffer>) => {
  port.postMessage(share.onLines({ bytes: Buffer.from(buffer, 0, byteLength) }));
});
