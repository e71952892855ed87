import { fileURLToPath } from 'node:url';
import type { FileCase } from './file-case.ts';

/** A program that answers a case over a file, timed from its start to its end. */
export interface Tool {
  readonly name: string;
  /**
   * The program and its arguments. It prints the number of a count, a JSON object of numbers for segments, or the
   * lines of a filter.
   *
   * @throws {Inexpressible} for what it cannot do.
   */
  readonly command: (testCase: FileCase, file: string) => readonly [program: string, ...args: string[]];
  /** Makes a JSON object of segments of what it prints, where it prints them otherwise. */
  readonly segments?: (printed: string) => Record<string, number>;
}

/** The path of a program of this project. */
export function resolveProjectPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
