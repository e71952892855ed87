/**
 * Supports expressions in CodeMirror 6.
 *
 * @module onwhere/codemirror
 */

export { completionSource } from './completion-source.ts';
export { formatCommand } from './format-command.ts';
export { hoverSource } from './hover-source.ts';
export { lintSource } from './lint-source.ts';
export { onwhere, onwhereKeymap } from './onwhere.ts';
export { onwhereLanguage } from './onwhere-language.ts';
export type { OnwhereOptions } from './onwhere-options.ts';
