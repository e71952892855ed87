import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/cli/exit.ts';
import { PROGRAM } from '../cli/cli-process.ts';
import { Client } from '../end-to-end/client.ts';
import { ServerProcess, type TestFolder } from '../end-to-end/server-process.ts';
import { startChild } from '../spawned.ts';
import type { Tally } from './tally.ts';

const DATABASE = fileURLToPath(new URL('../clickhouse/clickhouse-server-process.ts', import.meta.url));

/** How long a client waits for a response: a stopped server accepts connections and never responds. */
const REQUEST_MS = 2_000;

const POLL_MS = 25;

/** Kinds of faults of a server. */
export const DISTURBANCES = ['kill', 'long stop', 'short stop', 'end', 'kill standby'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** A ClickHouse server in its own process, which survives the servers that use it. */
export class DatabaseProcess {
  private constructor(
    readonly url: string,
    private readonly kill: () => Promise<void>,
  ) {}

  static async start(): Promise<DatabaseProcess> {
    const child = startChild(process.execPath, ['--import', 'tsx', DATABASE], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    for await (const url of createInterface({ input: child.stdout })) {
      return new DatabaseProcess(url, async () => {
        child.kill('SIGKILL');
        await ended;
      });
    }
    throw new Error('the database did not start');
  }

  stop(): Promise<void> {
    return this.kill();
  }
}

/** Two servers over one data folder and one database. One serves, the other stands by. */
export class ServerPair {
  private readonly retired: ServerProcess[] = [];

  private constructor(
    private readonly start: () => Promise<ServerProcess>,
    readonly servers: [ServerProcess, ServerProcess],
    private readonly tally: Tally,
  ) {}

  /** @param takeoverMs the time after which a standby takes over from a server that does not renew its lease */
  static async start(folder: TestFolder, database: string, takeoverMs: number, tally: Tally): Promise<ServerPair> {
    const settings = ['--allow-http', '--shared-data', '--store', 'clickhouse', '--clickhouse-url', database];
    const serve = ['serve', '--data', folder.path, '--port', '0', ...settings];
    const start = () =>
      ServerProcess.run('env', `ONWHERE_TEST_TAKEOVER_MS=${takeoverMs}`, process.execPath, PROGRAM, ...serve);
    return new ServerPair(start, [await start(), await start()], tally);
  }

  /** Waits until a server other than `except` serves, and returns it. Restarts those that have ended. */
  async untilActive(except?: ServerProcess): Promise<ServerProcess> {
    for (;;) {
      for (const [index, server] of this.servers.entries()) {
        if (server === except) continue;
        if (!server.isRunning) await this.replace(index);
        else if ((await getHealth(server)) === 200) return server;
      }
      await pause(POLL_MS);
    }
  }

  /** Disturbs a server and waits until one serves again. Returns the disturbance's victim after its restart. */
  async disturb(kind: Disturbance): Promise<void> {
    const active = await this.untilActive();
    const standby = this.servers.find((server) => server !== active) as ServerProcess;
    this.tally.kill(kind);
    if (kind === 'kill') await active.kill();
    if (kind === 'kill standby') await standby.kill();
    if (kind === 'end') this.expectEnd(await active.stop(), active, [EXIT.ok, EXIT.lost]);
    if (kind === 'short stop') {
      process.kill(active.pid, 'SIGSTOP');
      await pause(POLL_MS);
      process.kill(active.pid, 'SIGCONT');
    }
    if (kind === 'long stop') {
      process.kill(active.pid, 'SIGSTOP');
      await this.untilActive(active);
      process.kill(active.pid, 'SIGCONT');
      // Whatever it was doing, it must find out by itself.
      while (active.isRunning) await pause(POLL_MS);
      this.expectEnd(await active.stop(), active, [EXIT.lost]);
    }
    await this.restartEnded();
    await this.untilActive();
  }

  /** Stops both servers. */
  async stop(): Promise<void> {
    for (const server of this.servers) this.expectEnd(await server.stop(), server, [EXIT.ok, EXIT.lost]);
    for (const server of [...this.retired, ...this.servers])
      this.tally.expect(
        !/damaged|internal error/.test(server.output),
        `a server reports damage: ${server.output.slice(-2_000)}`,
      );
  }

  private expectEnd(code: number | null, server: ServerProcess, allowed: readonly number[]): void {
    const isAllowed = code !== null && allowed.includes(code);
    this.tally.expect(isAllowed, `a server ended with ${code}: ${server.output.slice(-2_000)}`);
  }

  private async restartEnded(): Promise<void> {
    for (const [index, server] of this.servers.entries()) if (!server.isRunning) await this.replace(index);
  }

  private async replace(index: number): Promise<void> {
    this.retired.push(this.servers[index] as ServerProcess);
    this.servers[index] = await this.start();
  }
}

/** A client that asks the other server after an error, as a proxy does. */
export class PairClient extends Client {
  private current = 0;

  constructor(
    private readonly account: Pick<TestFolder, 'token' | 'secret'>,
    private readonly pair: Pick<ServerPair, 'servers'>,
  ) {
    super(account, { address: '' });
  }

  override async request(method: string, path: string, parameters: Record<string, string> = {}): Promise<Response> {
    const fields = new URLSearchParams(parameters);
    const { address } = this.pair.servers[this.current % 2] as ServerProcess;
    const authorization = `Basic ${Buffer.from(`${this.account.secret}:`).toString('base64')}`;
    const url = `${address}${path}${method === 'GET' ? `?${fields}` : ''}`;
    const body = method === 'GET' ? {} : { body: fields };
    try {
      const response = await fetch(url, {
        method,
        headers: { authorization },
        signal: AbortSignal.timeout(REQUEST_MS),
        ...body,
      });
      if (response.status === 503) await this.tryOther();
      return response;
    } catch (error) {
      await this.tryOther();
      throw error;
    }
  }

  private async tryOther(): Promise<void> {
    this.current++;
    await pause(POLL_MS);
  }
}

/** Returns the status of the health check; undefined if the server does not respond. */
async function getHealth({ address }: ServerProcess): Promise<number | undefined> {
  return fetch(`${address}/healthz`, { signal: AbortSignal.timeout(REQUEST_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => undefined,
  );
}
