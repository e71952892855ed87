import { text } from 'node:stream/consumers';

/** An expression from the command line; `-` stands for standard input, whose last line break is not part of it. */
export async function readSource(argument: string): Promise<string> {
  return argument === '-' ? (await text(process.stdin)).replace(/\r?\n$/, '') : argument;
}
