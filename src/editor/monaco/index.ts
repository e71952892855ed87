/**
 * Expressions in Monaco: highlighting, completion, diagnostics with fixes, hover and formatting.
 *
 * @module onwhere/monaco
 */

export type { OnwhereOptions } from '../onwhere-options.ts';
export type { Disposable, Model, Monaco, Uri } from './monaco.ts';
export { registerOnwhere } from './register-onwhere.ts';
