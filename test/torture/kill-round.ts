import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../src/data/random.ts';
import { PROGRAM } from '../cli/cli-process.ts';
import { Client } from '../end-to-end/client.ts';
import { ServerProcess, type TestFolder } from '../end-to-end/server-process.ts';
import { storeWorkerOf } from '../service/store/store-worker-of.ts';
import { startChild } from '../spawned.ts';
import { isRepeatable } from './batch.ts';
import { checkFolder, checkServed, checkStored } from './check-folder.ts';
import { type ExpectedVersion, ExpectedVersions } from './expected-versions.ts';
import { DATASET, ImportCommands } from './import-commands.ts';
import { isGone, Load, numbers } from './load.ts';
import type { Tally } from './tally.ts';

/** The work of the server when it is killed, with weights. */
const MOMENTS = [
  ['start', 1],
  ['import', 2],
  ['flush', 3],
  ['delete', 2],
] as const;

type Moment = (typeof MOMENTS)[number][0];

/** Kills the servers, databases and commands of a data folder, and checks the folder after each round. */
export class KillRounds {
  private readonly expected = new ExpectedVersions();
  private readonly commands: ImportCommands;
  private readonly batches = numbers();

  private constructor(
    private readonly folder: TestFolder,
    private readonly tally: Tally,
  ) {
    this.commands = new ImportCommands(folder, tally);
  }

  /** Starts with an empty data folder. */
  static in(folder: TestFolder, tally: Tally): KillRounds {
    folder.createDataset(DATASET);
    return new KillRounds(folder, tally);
  }

  /** A version that is imported into, and flushed in its second half, by servers that are killed so often; then all of the folder is checked. */
  async run(random: Random, lives: number): Promise<void> {
    const main = await this.begin();
    for (let life = 0; life < lives; life++) {
      const moment = random.weighted(MOMENTS);
      const own = new Random(random.integer(0, 2 ** 31));
      if (moment === 'start') await this.killAtStart(own);
      else await this.runLife(main, moment, life >= lives / 2, own);
    }
    await this.flushAndCheck();
  }

  /** Deletes the versions of earlier rounds and creates the version of a new one. */
  private async begin(): Promise<ExpectedVersion> {
    const server = await ServerProcess.start(this.folder);
    const client = new Client(this.folder, server);
    const load = this.loadOf(client);
    for (const version of this.expected.present) await load.delete(version);
    // A server may have created a version and been killed before it responded.
    for (const { version_id: id } of await client.list()) await client.delete(id);
    const files = new Client(this.folder, server, DATASET);
    for (const id of await this.commands.versions()) await files.delete(id);
    this.commands.forget();
    const main = this.expected.add((await client.create()).version_id);
    await server.stop();
    return main;
  }

  /** Runs one server under load until it is killed. */
  private async runLife(main: ExpectedVersion, moment: Moment, isPublished: boolean, random: Random): Promise<void> {
    const server = await ServerProcess.start(this.folder);
    const client = new Client(this.folder, server);
    const listed = await client.list();
    this.expected.checkList(listed, this.tally);
    // A dataset keeps five versions. A version that no client knows must not push out another.
    for (const { version_id: id } of listed) if (this.expected.get(id) === undefined) await client.delete(id);
    const load = this.loadOf(client);
    const others = [0, 1].map(() => new Random(random.integer(0, 2 ** 31)));
    const [killing = random, commanding = random] = others;
    const writers = this.untilGone([load.write(main), load.write(main)]);
    const tasks = this.untilGone([
      ...writers,
      load.makeAndDelete(main, random),
      load.query(main, random),
      ...(killing.chance(0.7) ? [this.killDatabases(server, killing)] : []),
      ...(commanding.chance(0.6) ? [this.commands.runAndKill(commanding)] : []),
    ]);
    // Wait for a number of batches, which works on any machine, and a moment more.
    await Promise.race([this.untilAcknowledged(killing.integer(0, 40), server), ...writers]);
    await pause(killing.integer(0, 300));
    tasks.push(...this.untilGone([this.provoke(load, main, moment, isPublished)]));
    await pause(killing.integer(0, moment === 'flush' ? 1_500 : 40));
    await server.kill();
    this.tally.kill(`server at ${moment}`);
    await Promise.all(tasks);
  }

  private async untilAcknowledged(batches: number, server: ServerProcess): Promise<void> {
    const enough = this.tally.batches + batches;
    while (this.tally.batches < enough && server.isRunning) await pause(10);
  }

  private untilGone(tasks: readonly Promise<void>[]): Promise<void>[] {
    return tasks.map((task) => task.catch((error) => this.tally.expect(isGone(error), String(error))));
  }

  /** Makes the server do the work at which it will be killed. */
  private async provoke(load: Load, main: ExpectedVersion, moment: Moment, isPublished: boolean): Promise<void> {
    if (moment === 'flush' || isPublished) await load.publish(main);
    if (moment !== 'delete') return;
    for (const version of this.expected.present) if (version !== main) await load.delete(version);
  }

  private async killDatabases(server: ServerProcess, random: Random): Promise<void> {
    while (server.isRunning) {
      await pause(random.integer(50, 600));
      const pid = server.isRunning ? storeWorkerOf(server.pid) : undefined;
      if (pid !== undefined && tryToKill(pid)) this.tally.kill('database');
    }
  }

  /** Kills a server while it starts, mostly before it takes requests. */
  private async killAtStart(random: Random): Promise<void> {
    const args = [PROGRAM, 'serve', '--data', this.folder.path, '--port', '0', '--allow-http'];
    const child = startChild(process.execPath, args, { stdio: 'ignore' });
    const ended = once(child, 'close');
    await pause(random.integer(100, 1_000));
    child.kill('SIGKILL');
    await ended;
    this.tally.kill('server at start');
  }

  /** Completes the unfinished work, and compares the whole folder with the acknowledged changes. */
  private async flushAndCheck(): Promise<void> {
    const server = await ServerProcess.start(this.folder);
    const client = new Client(this.folder, server);
    this.expected.checkList(await client.list(), this.tally);
    const load = this.loadOf(client);
    for (const version of this.expected.present) {
      for (const batch of version.ledger.unknown) if (isRepeatable(batch)) await load.send(version, batch);
    }
    await checkServed(client, this.expected, this.tally);
    this.tally.expect((await server.stop()) === 0, 'the server did not exit with 0');
    await checkStored(this.folder, this.expected, this.tally);
    await this.commands.check();
    checkFolder(this.folder, this.tally);
    for (const { id } of this.expected.deleted) {
      this.tally.expect(
        !existsSync(this.folder.versionFolder(id)),
        `the folder of ${id} still exists after its deletion`,
      );
    }
  }

  private loadOf(client: Client): Load {
    return new Load(client, this.expected, this.batches, this.tally);
  }
}

/** Kills a process; returns whether it existed. */
function tryToKill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
