import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects the garbage of the thread. Only for tests of the project `isolated`, because it shows in later files. */
export const collectGarbage: () => void = runInNewContext('gc');
