import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CLI } from './data-folder.ts';

/** A server on a data folder, in its own process. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    /** The HTTPS address. */
    readonly address: string,
  ) {}

  static async start(folder: string, ...options: string[]): Promise<Server> {
    const child = spawn(process.execPath, [CLI, 'serve', '--data', folder, '--port', '0', ...options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = await once(child.stdout, 'data');
    return new Server(child, /https:\S+/.exec(String(output))?.[0] ?? '');
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  async stop(): Promise<void> {
    this.child.kill();
    await once(this.child, 'exit');
  }
}
