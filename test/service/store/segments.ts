import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { formatDecimal, type Properties } from '../../../src/lang/value.ts';
import type { LogSegment } from '../../../src/service/storage/segment-folder.ts';
import type { EventLine, PersonLine } from '../../../src/service/store/log-line.ts';

/** Writes a segment as a log has it: batches of lines, each closed by a line that vouches for it. */
export async function writeSegment(
  folder: string,
  name: string,
  batches: readonly (readonly (EventLine | PersonLine)[])[],
): Promise<LogSegment> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.ndjson`);
  await writeFile(path, batches.map(batchText).join(''));
  return { path, name, records: batches.flat().length };
}

function batchText(lines: readonly (EventLine | PersonLine)[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const batch = { records: lines.length, bytes: Buffer.byteLength(text), crc32: crc32(text) };
  return `${text}${JSON.stringify({ batch })}\n`;
}

/** The line of an event that has `distinct_id` and `time`. */
export function eventLine(event: string, properties: Properties): EventLine {
  const { time, distinct_id, $insert_id } = properties;
  return {
    event,
    time: time as number,
    distinct_id: idText(distinct_id),
    ...($insert_id !== undefined && { insert_id: idText($insert_id) }),
    properties,
  };
}

function idText(id: unknown): string {
  return typeof id === 'number' ? formatDecimal(id) : (id as string);
}
