import { type ChildProcess, type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../cli/cli-process.ts';
import { startChild } from '../spawned.ts';

/** Runs `onwhere` to its end. */
export function onwhere(...args: string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
}

/** A data folder with a project `shop` and a dataset `orders`. */
export class TestFolder {
  private constructor(
    readonly path: string,
    readonly token: string,
    readonly secret: string,
  ) {}

  /** A folder in `parent`, with a name of its own. */
  static make(parent = tmpdir()): TestFolder {
    const path = mkdtempSync(join(parent, 'onwhere-service-'));
    const { token, secret } = runIn(path, 'project', 'create', 'shop');
    const folder = new TestFolder(path, token, secret);
    folder.createDataset('orders');
    return folder;
  }

  /** The same project in another folder, which has a copy of it. */
  at(path: string): TestFolder {
    return new TestFolder(path, this.token, this.secret);
  }

  createProject(name: string): { readonly token: string; readonly secret: string } {
    return runIn(this.path, 'project', 'create', name);
  }

  /** Makes a dataset, and answers its secret. */
  createDataset(datasetId: string, project = 'shop'): string {
    return runIn(this.path, 'dataset', 'create', datasetId, '--project', project).secret;
  }

  /** Where a version is. */
  versionFolder(versionId: string, datasetId = 'orders'): string {
    return join(this.path, 'projects', 'shop', 'datasets', datasetId, 'versions', versionId);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function runIn(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = onwhere(...args, '--data', folder, '--json');
  if (status !== 0) throw new Error(`onwhere ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A server in a process of its own. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
    private readonly said: { text: string },
  ) {}

  /** Starts a server that takes plain HTTP on loopback. */
  static start(folder: Pick<TestFolder, 'path'>, ...options: string[]): Promise<ServerProcess> {
    return ServerProcess.startWith(folder, '--allow-http', ...options);
  }

  /** Starts `onwhere serve` and waits until it says where it listens. */
  static startWith(folder: Pick<TestFolder, 'path'>, ...options: string[]): Promise<ServerProcess> {
    const args = ['serve', '--data', folder.path, '--port', '0', ...options];
    return ServerProcess.run(process.execPath, PROGRAM, ...args);
  }

  /** Runs a command that starts a server in its own process, as {@link startWith}. */
  static run(command: string, ...args: string[]): Promise<ServerProcess> {
    return ServerProcess.listening(startChild(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Waits until a process says where it listens. */
  static async listening(child: ChildProcessWithoutNullStreams): Promise<ServerProcess> {
    const said = { text: '' };
    const address = await new Promise<string>((resolve, reject) => {
      let isKnown = false;
      const listen = (chunk: Buffer) => {
        said.text += chunk;
        // It may go on to say much.
        const found = isKnown ? null : /https?:\/\/[\w.]+:\d+/.exec(said.text);
        if (found === null) return;
        isKnown = true;
        resolve(found[0]);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said.text}`)));
    });
    return new ServerProcess(child, address, said);
  }

  /** All that it wrote. */
  get output(): string {
    return this.said.text;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Asks it to end, and answers its exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.kill('SIGTERM');
    const [code] = await once(this.child, 'exit');
    return code;
  }
}
