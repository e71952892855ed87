/**
 * Expressions in CodeMirror 6: highlighting, completion, diagnostics with fixes, and hover.
 *
 * @module onwhere/codemirror
 */

export type { OnwhereOptions } from '../onwhere-options.ts';
export { createCompletionSource } from './completion-source.ts';
export { formatCommand } from './format-command.ts';
export { createHoverSource } from './hover-source.ts';
export { createLintSource } from './lint-source.ts';
export { onwhere, onwhereKeymap } from './onwhere.ts';
export { onwhereLanguage } from './onwhere-language.ts';
