import { type ChildProcess, type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../cli/cli-process.ts';
import { startChild } from '../spawned.ts';

/** Runs `onwhere` and waits until it exits. */
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

  /** Creates a folder with a unique name in `parent`. */
  static make(parent = tmpdir()): TestFolder {
    const path = mkdtempSync(join(parent, 'onwhere-service-'));
    const { token, secret } = runIn(path, 'project', 'create', 'shop');
    const folder = new TestFolder(path, token, secret);
    folder.createDataset('orders');
    return folder;
  }

  /** Returns the same project in another folder, which contains a copy of it. */
  at(path: string): TestFolder {
    return new TestFolder(path, this.token, this.secret);
  }

  createProject(name: string): { readonly token: string; readonly secret: string } {
    return runIn(this.path, 'project', 'create', name);
  }

  /** Creates a dataset and returns its secret. */
  createDataset(datasetId: string, project = 'shop'): string {
    return runIn(this.path, 'dataset', 'create', datasetId, '--project', project).secret;
  }

  /** Returns the folder of a version. */
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

/** A server in its own process. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
    private readonly log: { text: string },
  ) {}

  /** Starts a server that accepts plain HTTP on loopback. */
  static start(folder: Pick<TestFolder, 'path'>, ...options: string[]): Promise<ServerProcess> {
    return ServerProcess.startWith(folder, '--allow-http', ...options);
  }

  /** Starts `onwhere serve` and waits until it prints its address. */
  static startWith(folder: Pick<TestFolder, 'path'>, ...options: string[]): Promise<ServerProcess> {
    const args = ['serve', '--data', folder.path, '--port', '0', ...options];
    return ServerProcess.run(process.execPath, PROGRAM, ...args);
  }

  /** Runs a command that starts a server, like {@link startWith}. */
  static run(command: string, ...args: string[]): Promise<ServerProcess> {
    return ServerProcess.listening(startChild(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Waits until a server process prints its address. */
  static async listening(child: ChildProcessWithoutNullStreams): Promise<ServerProcess> {
    const log = { text: '' };
    const address = await new Promise<string>((resolve, reject) => {
      let isKnown = false;
      const listen = (chunk: Buffer) => {
        log.text += chunk;
        // Do not search the rest of a long output.
        const found = isKnown ? null : /https?:\/\/[\w.]+:\d+/.exec(log.text);
        if (found === null) return;
        isKnown = true;
        resolve(found[0]);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${log.text}`)));
    });
    return new ServerProcess(child, address, log);
  }

  /** The whole output of the server, of both streams. */
  get output(): string {
    return this.log.text;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills the server with SIGKILL and waits until it exits. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Sends SIGTERM and returns the exit code, null if a signal ended the process. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.kill('SIGTERM');
    const [code] = await once(this.child, 'exit');
    return code;
  }
}
