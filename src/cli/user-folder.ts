import { isAbsolute, join } from 'node:path';

/** The variable and the folder below the home, by kind, on systems other than Windows. */
const KINDS = {
  state: ['XDG_STATE_HOME', '.local/state'],
  cache: ['XDG_CACHE_HOME', '.cache'],
} as const;

/** Returns the folder of onwhere for files of a user, by the conventions of the operating system. */
export function getUserFolder(
  kind: keyof typeof KINDS,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  const [variable, below] = KINDS[kind];
  const { LOCALAPPDATA: local = '', [variable]: named = '' } = environment;
  if (platform === 'win32') return join(local || join(home, 'AppData', 'Local'), 'onwhere');
  return join(isAbsolute(named) ? named : join(home, below), 'onwhere');
}
