import type { CheckOptions } from '../api.ts';
import { expectOptions } from '../arguments.ts';

/** What the expression is for, and the properties that there are. */
export type OnwhereOptions = Pick<CheckOptions, 'schema' | 'use'>;

/**
 * Checks the options at once: CodeMirror would meet a mistake in them only while somebody types.
 *
 * @throws {TypeError} for an unknown option, or one of another type.
 */
export function expectOnwhereOptions(options: unknown): void {
  expectOptions(options, ['schema', 'use']);
}
