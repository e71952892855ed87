import type { EventBatch, EventRecord } from '../../data/event-record.ts';
import type { Io } from '../io.ts';
import { LineReader } from './line-reader.ts';
import { explainFailure, getFileName, type ReadFileOptions, readFile } from './read-file.ts';

/** Streams the records of a file, or of standard input for `-`. Throws an InputError if the file cannot be read. */
export async function* readEvents(
  io: Pick<Io, 'in'>,
  file: string,
  options: ReadFileOptions,
): AsyncGenerator<EventBatch> {
  const lines = new LineReader();
  let count = 0;
  try {
    for await (const part of readFile(io, file, options)) {
      const records: EventRecord[] = [];
      if ('records' in part) {
        records.push(...part.records);
      } else {
        lines.open(part, lines.line);
        for (let found = lines.next(); found !== undefined; found = lines.next()) {
          if ('reason' in found) options.onBroken({ file: getFileName(file), ...found });
          else records.push(found);
        }
      }
      count += records.length;
      yield { ...part, records };
    }
  } catch (error) {
    throw explainFailure(error, file, count);
  }
}
