import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ChunkProcessor } from './chunk-processor.ts';
import type { Job } from './job.ts';
import { loadAggregator } from './load-aggregator.ts';
import type { WorkerReply } from './worker-pool.ts';

/** The entry of a worker thread: replies to each block of lines with its result. */
const port = parentPort as MessagePort;
const job = workerData as Job;
const processor = new ChunkProcessor(job, await loadAggregator(job.kind));

port.on('message', ({ buffer, byteLength }: Uint8Array<ArrayBuffer>) => {
  const result = processor.processLines({ bytes: Buffer.from(buffer, 0, byteLength) });
  port.postMessage({ result, memory: buffer } satisfies WorkerReply<unknown>, [buffer]);
});
