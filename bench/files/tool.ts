import { fileURLToPath } from 'node:url';
import type { FileCase } from './file-case.ts';

/** A program that runs a case over a file. It is timed from start to end. */
export interface Tool {
  readonly name: string;
  /**
   * Returns the program and its arguments. It prints a number for a count, a JSON object of numbers for segments, or
   * the
   * lines of a filter.
   *
   * @throws {Inexpressible} if the tool cannot run the case.
   */
  readonly command: (testCase: FileCase, file: string) => readonly [program: string, ...args: string[]];
  /** Parses the printed segments if they are not a JSON object of numbers. */
  readonly segments?: (printed: string) => Record<string, number>;
}

/** Resolves a path in this project. */
export function resolveProjectPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
