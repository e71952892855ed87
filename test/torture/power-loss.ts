import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../src/data/random.ts';
import { PROGRAM } from '../cli/cli-process.ts';
import { Client } from '../end-to-end/client.ts';
import { ServerProcess, TestFolder } from '../end-to-end/server-process.ts';
import { startChild } from '../spawned.ts';
import { checkFolder, checkServed, checkStored } from './check-folder.ts';
import { Disk, type Folder } from './disk.ts';
import { ExpectedVersions } from './expected-versions.ts';
import { findDifference, readFolder, writeFolder } from './folder-copies.ts';
import { DATASET, ImportCommands } from './import-commands.ts';
import type { Loss } from './losses.ts';
import { type Action, RecordedClient } from './recorded-client.ts';
import { type Operation, readOperations, traceCommand } from './system-calls.ts';
import { Tally } from './tally.ts';

const BATCHES = 8;

/**
 * A recording of all file operations of a program on a data folder. It can restore the folder after a power loss at any
 * moment.
 */
export class Recording {
  private constructor(
    private readonly folder: TestFolder,
    private readonly before: Folder,
    private readonly operations: readonly Operation[],
    /** The actions of each client in order. Those of the first client come before all others. */
    private readonly clients: readonly (readonly Action[])[],
    private readonly commands: (tally: Tally, folder: TestFolder, cut: number) => ImportCommands | undefined,
  ) {}

  /** Records a server while clients create, fill, publish and delete versions. */
  static async ofServer(random: Random): Promise<Recording> {
    const folder = TestFolder.make();
    const trace = `${folder.path}.trace`;
    try {
      const before = readFolder(folder.path);
      const args = [PROGRAM, 'serve', '--data', folder.path, '--port', '0', '--allow-http'];
      const [command = '', ...rest] = traceCommand(trace, [process.execPath, ...args]);
      const server = await ServerProcess.run(command, ...rest);
      const clients = await useServer(folder, server, random);
      if ((await server.stop()) !== 0) throw new Error(`the recorded server failed: ${server.output}`);
      const operations = await readFinished(trace, folder.path);
      return new Recording(folder, before, operations, clients, () => undefined).expectComplete();
    } finally {
      rmSync(trace, { force: true });
      folder.remove();
    }
  }

  /** Records `onwhere import`. */
  static async ofCommand(random: Random): Promise<Recording> {
    const folder = TestFolder.make();
    const trace = `${folder.path}.trace`;
    try {
      folder.createDataset(DATASET);
      const recorded = new ImportCommands(folder, new Tally());
      if (random.chance(0.5)) await recorded.prepare(random);
      const { run, args, size } = await recorded.prepare(random);
      const before = readFolder(folder.path);
      const [command = '', ...rest] = traceCommand(trace, [process.execPath, PROGRAM, ...args]);
      const child = startChild(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`the recorded command ended with ${code}`);
      const operations = await readFinished(trace, folder.path);
      const success = operations.findIndex(({ kind }) => kind === 'print');
      return new Recording(folder, before, operations, [], (tally, at, cut) => {
        const commands = new ImportCommands(at, tally, new Map([[run, size]]));
        if (success < cut) commands.succeed(run);
        return commands;
      }).expectComplete();
    } finally {
      rmSync(trace, { force: true });
      folder.remove();
    }
  }

  /** The number of batches that the server acknowledged. */
  get batches(): number {
    return this.expectedAt(this.operations.length).acknowledgedBatches;
  }

  /**
   * Starts a server on the folder after a power loss at a random moment, and compares its records with those
   * acknowledged by then.
   */
  async check(seed: number, losses: readonly Loss[], tally: Tally): Promise<void> {
    const random = new Random(seed);
    const loss = losses[random.integer(0, losses.length - 1)] as Loss;
    const cut = this.drawMoment(random);
    const parent = mkdtempSync(join(tmpdir(), 'onwhere-power-'));
    const folder = this.folder.at(join(parent, 'data'));
    writeFolder(this.diskAt(cut).lose(loss, random), folder.path);
    const found = new Tally();
    const expected = this.expectedAt(cut);
    const commands = this.commands(found, folder, cut);
    tally.kill(`power loss, ${loss}`);
    try {
      const server = await ServerProcess.start(folder);
      const client = new Client(folder, server);
      expected.checkList(await client.list(), found);
      await checkServed(client, expected, found);
      found.expect((await server.stop()) === 0, 'the server did not exit with 0');
      await checkStored(folder, expected, found);
      await commands?.check();
      checkFolder(folder, found);
    } catch (error) {
      found.expect(false, (error as Error).message);
    }
    const where = `${loss}, after operation ${cut} of ${this.operations.length}: ${describe(this.operations[cut - 1])}`;
    tally.add(found, where);
    rmSync(parent, { recursive: true });
  }

  /**
   * Draws the number of operations before the power loss. Half of the time, it is right after one that others rely on.
   */
  private drawMoment(random: Random): number {
    const marks = this.operations.flatMap(({ kind }, at) => {
      return ['respond', 'sync', 'rename', 'remove', 'print'].includes(kind) ? [at + 1] : [];
    });
    if (random.chance(0.5)) return marks[random.integer(0, marks.length - 1)] as number;
    return random.integer(0, this.operations.length);
  }

  private diskAt(cut: number): Disk {
    const disk = new Disk(this.folder.path, this.before.copy());
    for (const operation of this.operations.slice(0, cut)) disk.apply(operation);
    return disk;
  }

  private expectedAt(cut: number): ExpectedVersions {
    const expected = new ExpectedVersions();
    const responses = new Map<number, number>();
    for (const [at, operation] of this.operations.slice(0, cut).entries()) {
      if (operation.kind === 'respond') responses.set(operation.port, at);
    }
    for (const actions of this.clients) {
      for (const { port, sent, acknowledged } of actions) {
        sent?.(expected);
        if (!responses.has(port)) break;
        acknowledged(expected);
      }
    }
    return expected;
  }

  /** @throws {Error} if the operations do not lead to the folder at the end of the recording. */
  private expectComplete(): this {
    const end = this.diskAt(this.operations.length).lose('all', new Random(0));
    const difference = findDifference(end, readFolder(this.folder.path));
    if (difference !== undefined) throw new Error(`the recording misses a change of ${difference}`);
    return this;
  }
}

/** Two clients fill a version, while another one creates a second version, publishes both and deletes its own. */
async function useServer(folder: TestFolder, server: ServerProcess, random: Random): Promise<Action[][]> {
  const [maker, one, other, side] = [0, 1, 2, 3].map(() => new RecordedClient(folder, server));
  const clients = [maker, one, other, side] as [RecordedClient, RecordedClient, RecordedClient, RecordedClient];
  const main = await clients[0].make();
  const write = async (client: RecordedClient, first: number) => {
    for (let batch = first; batch < first + BATCHES; batch++) {
      await client.send(main, batch);
      await pause(random.integer(0, 200));
    }
  };
  const makeAndDelete = async (client: RecordedClient) => {
    const id = await client.make();
    for (const batch of [1_001, 1_002, 1_003]) await client.send(id, batch);
    await client.publish(id);
    await client.publish(main);
    if (random.chance(0.5)) await client.untilReady(id);
    await client.discard(id);
  };
  await Promise.all([write(clients[1], 1), write(clients[2], 101), makeAndDelete(clients[3])]);
  await clients[0].untilReady(main);
  // In half of the recordings, a log that is not flushed is left at the end.
  if (random.chance(0.5)) await clients[0].send(main, 201);
  return clients.map(({ actions }) => actions);
}

/** Waits until the traced program and its child processes have ended; returns the operations of the trace. */
async function readFinished(trace: string, folder: string): Promise<Operation[]> {
  for (let size = -1; ; ) {
    const { size: now } = await stat(trace);
    if (now === size) return readOperations(trace, folder);
    size = now;
    await pause(500);
  }
}

function describe(operation: Operation | undefined): string {
  if (operation === undefined) return 'none';
  const { kind, ...rest } = operation;
  const bytes = 'bytes' in rest ? ` ${rest.bytes.length} bytes` : '';
  const place = 'path' in rest ? ` ${rest.path}` : 'from' in rest ? ` ${rest.from}` : '';
  return `${kind}${place}${bytes}`;
}
