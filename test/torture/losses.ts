/**
 * The operations that survive a power loss although they were not synced:
 * - `synced`: none;
 * - `all`: all of them, as after a kill;
 * - `journaled`: any writes, and the changes of names up to some moment after the last sync of any file, as in file
 *   systems with a journal;
 * - `reordered`: any writes, and in each folder the changes of names up to some moment after its last sync, as POSIX
 *   allows.
 */
export const LOSSES = ['synced', 'all', 'journaled', 'reordered'] as const;
export type Loss = (typeof LOSSES)[number];
