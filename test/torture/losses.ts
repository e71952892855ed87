/**
 * What may be left of operations that were not synced when the power fails:
 * - `synced`: nothing;
 * - `all`: all of them, as after a kill;
 * - `journaled`: names as they were at some moment after the last sync of anything, as journals of file systems keep them, and any writes;
 * - `reordered`: of each folder the names as they were at some moment after its own sync, as POSIX allows it, and any writes.
 */
export const LOSSES = ['synced', 'all', 'journaled', 'reordered'] as const;
export type Loss = (typeof LOSSES)[number];
