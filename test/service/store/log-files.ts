import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { formatDecimal, type Properties } from '../../../src/lang/value.ts';
import type { LogFile } from '../../../src/service/storage/log-files.ts';
import type { EventLine, PersonLine } from '../../../src/service/store/log-line.ts';

/** Writes a file of a log: batches of lines, each followed by a batch line. */
export async function writeLogFile(
  folder: string,
  name: string,
  batches: readonly (readonly (EventLine | PersonLine)[])[],
): Promise<LogFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.ndjson`);
  await writeFile(path, batches.map(formatBatch).join(''));
  return { path, name, records: batches.flat().length };
}

function formatBatch(lines: readonly (EventLine | PersonLine)[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const batch = { records: lines.length, bytes: Buffer.byteLength(text), crc32: crc32(text) };
  return `${text}${JSON.stringify({ batch })}\n`;
}

/** Returns the log line of an event with `distinct_id` and `time`. */
export function eventLine(event: string, properties: Properties): EventLine {
  const { time, distinct_id, $insert_id } = properties;
  return {
    event,
    time: time as number,
    distinct_id: formatId(distinct_id),
    ...($insert_id !== undefined && { insert_id: formatId($insert_id) }),
    properties,
  };
}

function formatId(id: unknown): string {
  return typeof id === 'number' ? formatDecimal(id) : (id as string);
}
