#!/usr/bin/env node
import * as module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { getUserFolder } from './user-folder.ts';

const { argv, env, platform } = process;

if (argv.length === 3 && ['-V', '--version'].includes(argv[2] ?? '')) {
  process.stdout.write(`${version}\n`);
} else {
  keepCompiledCode();
  const { start } = await import('./start.ts');
  await start(process);
}

/** Keeps compiled code for the next start, which Node.js 22 and later do. */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  try {
    // By default, Node.js keeps it in the folder for temporary files.
    enableCompileCache?.(join(getUserFolder('cache', env, platform, homedir()), 'compiled'));
  } catch {
    // The user has no home.
  }
}
