import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from '../../cli/cli-process.ts';
import { startChild } from '../../spawned.ts';

/** A running `onwhere play`. */
export interface Play {
  /** The URL of the page, with a slash at the end. */
  readonly address: string;
  readonly child: ChildProcess;
  /** Presses Ctrl-C, and returns the exit code and the standard error. */
  stop(): Promise<{ code: number; err: string }>;
}

/** Starts `onwhere play` and waits until it prints the URL of the page. */
export async function startPlay(args: readonly string[], cwd: string): Promise<Play> {
  const child = startChild(process.execPath, [PROGRAM, 'play', ...args], { cwd });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const closed = once(child, 'close');
  const address = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      const [found] = /http:\S+/.exec(out) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error(`onwhere play ended: ${err}`)));
  });
  return {
    address,
    child,
    async stop() {
      child.kill('SIGINT');
      const [code] = await closed;
      return { code, err };
    },
  };
}
