import { execFileSync, type StdioOptions } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** Folders that may hold the programs of a server. */
function folders(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  return [...(process.env.PATH ?? '').split(delimiter), ...versions];
}

const BIN = folders().find((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))));

/** Whether a PostgreSQL server can be started here. */
export const HAS_POSTGRES = BIN !== undefined;

if (!HAS_POSTGRES) {
  console.warn('PostgreSQL is not installed (apt-get install postgresql): the tests on a real server are skipped.');
}

/** A server of its own, with a database named `postgres` and a user of that name. */
export interface PostgresServer {
  /** The folder of its socket. */
  readonly host: string;
  stop(): void;
}

/** Starts a server that listens on a socket in a new folder only. */
export function startPostgres(): PostgresServer {
  const host = mkdtempSync(join(tmpdir(), 'onwhere-postgres-'));
  const data = join(host, 'data');
  const user = serverUser();
  if (user !== undefined) chownSync(host, user.uid, user.gid);
  const run = (program: string, ...options: string[]) => {
    // What the server inherits stays open for as long as it runs.
    const stdio: StdioOptions = 'ignore';
    execFileSync(join(BIN ?? '', program), ['-D', data, ...options], { cwd: host, stdio, ...user });
  };
  run('initdb', '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8');
  run('pg_ctl', '--wait', '-o', `-k '${host}' -c listen_addresses='' -c fsync=off`, 'start');
  return {
    host,
    stop() {
      run('pg_ctl', '--wait', '--mode=immediate', 'stop');
      rmSync(host, { recursive: true });
    },
  };
}

/** The server refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
