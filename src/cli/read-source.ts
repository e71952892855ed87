import { text } from 'node:stream/consumers';
import type { Io } from './io.ts';

/** An expression from the command line; `-` stands for standard input, whose last line break is not part of it. */
export async function readSource(io: Io, argument: string): Promise<string> {
  return argument === '-' ? (await text(io.in)).replace(/\r?\n$/, '') : argument;
}
