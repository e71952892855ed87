import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A folder that another process works on. The message tells the user which, and what to do. */
export class FolderInUseError extends Error {
  constructor(folder: string, holder: string) {
    super(`${folder} is in use by ${holder}. Stop it, or choose another folder.`);
  }
}

/** Answers a line that another process sends to whoever holds a folder, with a line. */
export type AnswerLine = (line: string) => Promise<string>;

/** How long a process that holds a folder may take to say which it is. */
const GREETING_MS = 1_000;

/** Tells this process from those of other containers, which may have its number. */
const SELF = randomUUID();

const LOCK = /^lock-(\d{1,15})$/;

/**
 * Keeps a folder to one process at a time, on one machine, its containers included.
 *
 * Node.js has no `flock`, and DuckDB, which locks its files, runs in a process that may crash while this one goes on.
 * So the lock is a Unix domain socket in the folder: the kernel refuses connections to it as soon as the process that
 * listens is gone, and finds it by its inode, whatever namespaces of processes and networks the two have. It needs a
 * file system with sockets, and does not see processes of other machines.
 *
 * Sockets are numbered, since no process can remove the dead socket of another without a race. A socket listens before
 * it has its number, and dead sockets never come back to life: whoever finds the highest number dead takes the next
 * one, which only one process can. A lower socket is removed only after a higher one exists, so that whoever comes with
 * an old view finds a number above its own, and tries again.
 */
export class FolderLock {
  private constructor(
    private readonly server: Server,
    private readonly handle: FileHandle,
  ) {}

  /**
   * Takes a folder. Processes that are gone do not count.
   *
   * @throws {FolderInUseError}
   */
  static async take(folder: string, answer: AnswerLine = async () => ''): Promise<FolderLock> {
    const handle = await open(folder, 'r');
    const own = `lock.${randomUUID()}`;
    const server = createServer((socket) => greet(socket, answer));
    try {
      const place = placeOf(folder, handle);
      await listen(server, join(place, own));
      await occupy(folder, place, own);
      return new FolderLock(server, handle);
    } catch (error) {
      server.close();
      await handle.close();
      throw error;
    } finally {
      await rm(join(folder, own), { force: true });
    }
  }

  /**
   * Sends a line to the process that holds a folder, and waits for its answer; undefined where none holds it.
   *
   * @throws {Error} where it does not answer in time.
   */
  static async ask(folder: string, line: string, patienceMs: number): Promise<string | undefined> {
    const handle = await open(folder, 'r');
    try {
      const place = placeOf(folder, handle);
      const newest = (await numbersIn(folder)).at(-1);
      const socket = newest === undefined ? undefined : await connected(join(place, nameOf(newest)));
      if (socket === undefined) return undefined;
      socket.write(`${line}\n`);
      const [, answer] = (await textFrom(socket, 2, patienceMs)).split('\n');
      if (answer === undefined) throw new Error(`the process that has ${folder} open does not answer`);
      return answer;
    } finally {
      await handle.close();
    }
  }

  async release(): Promise<void> {
    this.server.close();
    await this.handle.close();
  }
}

/** Gives a listening socket the next number, where that of the highest is dead. */
async function occupy(folder: string, place: string, own: string): Promise<void> {
  for (;;) {
    const newest = (await numbersIn(folder)).at(-1) ?? 0;
    const holder = newest === 0 ? undefined : await connected(join(place, nameOf(newest)));
    if (holder !== undefined) throw new FolderInUseError(folder, await nameOfHolder(holder));
    const number = newest + 1;
    if (!(await isLinked(join(folder, own), join(folder, nameOf(number))))) continue;
    const numbers = await numbersIn(folder);
    if (numbers.at(-1) === number) {
      for (const lower of numbers.slice(0, -1)) await rm(join(folder, nameOf(lower)), { force: true });
      return;
    }
    await rm(join(folder, nameOf(number)), { force: true });
  }
}

/** The folder by a short path: that of a socket has at most 107 bytes. */
function placeOf(folder: string, handle: FileHandle): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
}

function nameOf(number: number): string {
  return `lock-${number}`;
}

async function numbersIn(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((name) => LOCK.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((left, right) => left - right);
}

async function isLinked(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve();
    });
  });
}

/** A connection to the process that listens; undefined where none does. */
function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });
}

/** Says who this is, and answers a line. */
function greet(socket: Socket, answer: AnswerLine): void {
  socket.unref();
  socket.on('error', () => socket.destroy());
  socket.write(`${hostname()} ${process.pid} ${SELF}\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (some: string) => {
    text += some;
    const end = text.indexOf('\n');
    if (end === -1) return;
    answer(text.slice(0, end)).then(
      (said) => socket.end(`${said}\n`),
      () => socket.destroy(),
    );
  });
}

/** What a process says, up to so many lines: less where it says no more, or not in time. */
function textFrom(socket: Socket, lines: number, patienceMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.setEncoding('utf8').on('data', (some: string) => {
      text += some;
      if (text.split('\n').length > lines) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text.slice(0, text.lastIndexOf('\n')));
    });
  });
}

async function nameOfHolder(socket: Socket): Promise<string> {
  const [host, pid, self] = (await textFrom(socket, 1, GREETING_MS)).split(' ');
  if (pid === undefined) return 'another process';
  if (host !== hostname()) return `process ${pid} of the container or host ${host}`;
  return self === SELF ? 'this very process' : `process ${pid}`;
}
