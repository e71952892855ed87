import { type EventRecord, toEventRecord } from './event-record.ts';

/** The record that a text holds, or what is wrong with it. */
export function parseRecord(text: string, line: number): EventRecord | string {
  try {
    return toEventRecord(JSON.parse(text), () => text, line) ?? 'not an object';
  } catch (error) {
    return `not JSON: ${(error as SyntaxError).message}`;
  }
}
