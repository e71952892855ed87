import { execFileSync, type StdioOptions } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** Lists folders that may contain the PostgreSQL programs. */
function listFolders(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  return [...(process.env.PATH ?? '').split(delimiter), ...versions];
}

const BIN = listFolders().find((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))));

/** Whether this machine can start a PostgreSQL server. */
export const HAS_POSTGRES = BIN !== undefined;

if (!HAS_POSTGRES) {
  console.warn('PostgreSQL is not installed (apt-get install postgresql). Tests that need a server are skipped.');
}

/** A separate server with a database and a user, both named `postgres`. */
export interface PostgresServer {
  /** The folder of its socket. */
  readonly host: string;
  stop(): void;
}

/** Starts a server that listens only on a socket in a new folder. */
export function startPostgres(): PostgresServer {
  const host = mkdtempSync(join(tmpdir(), 'onwhere-postgres-'));
  const data = join(host, 'data');
  const user = findServerUser();
  if (user !== undefined) chownSync(host, user.uid, user.gid);
  const run = (program: string, ...options: string[]) => {
    // The server would keep inherited streams open while it runs.
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

/** Returns the user to run the server as, because PostgreSQL refuses to run as root. */
function findServerUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
