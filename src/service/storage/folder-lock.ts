import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Thrown if another process has a folder open. The message names the process and tells the user what to do. */
export class FolderInUseError extends Error {
  constructor(folder: string, holder: string, cure = 'Stop it, or choose another folder.') {
    super(`${folder} is in use by ${holder}. ${cure}`);
  }
}

/** Answers a line from another process with a line. */
export type AnswerLine = (line: string) => Promise<string>;

/** The time limit for the holder of a lock to identify itself. */
const GREETING_MS = 1_000;

/** Identifies this process. Processes of other containers may have the same process ID. */
const SELF = randomUUID();

const LOCK = /^lock-(\d{1,15})$/;

/**
 * Lets only one process at a time open a folder, on one machine including its containers.
 *
 * Node.js has no `flock`, and DuckDB, which locks its files, runs in a process that may crash while this one goes on.
 * So the lock is a Unix domain socket in the folder. The kernel refuses connections to it as soon as the listening
 * process is gone. It finds the socket by its inode, so the processes may have different PID and network namespaces.
 * The lock needs a file system with sockets and does not see processes of other machines.
 *
 * Sockets are numbered, because no process can remove the dead socket of another without a race. A socket listens
 * before it gets its number, and a dead socket never listens again. A process that finds the highest number dead takes
 * the next number, and only one process can. A lower socket is removed only after a higher one exists. A process with
 * an outdated listing therefore finds a number above its own and tries again.
 */
export class FolderLock {
  private constructor(
    private readonly server: Server,
    private readonly handle: FileHandle,
  ) {}

  /**
   * Locks a folder. Locks of processes that are gone do not count.
   *
   * @param answer answers the lines that other processes send with {@link FolderLock.ask}
   * @param supersedes takes the lock of another process too, which must have lost the folder already
   *
   * @throws {FolderInUseError}
   */
  static async take(folder: string, answer: AnswerLine = async () => '', supersedes = false): Promise<FolderLock> {
    const handle = await open(folder, 'r');
    const own = `lock.${randomUUID()}`;
    const server = createServer((socket) => greet(socket, answer));
    try {
      const shortPath = getShortPath(folder, handle);
      await listen(server, join(shortPath, own));
      await claimNumber(folder, shortPath, own, supersedes);
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
   * Sends a line to the process that holds a folder and returns its answer; undefined if none holds it.
   *
   * @throws {Error} if it does not answer in time.
   */
  static async ask(folder: string, line: string, timeoutMs: number): Promise<string | undefined> {
    const handle = await open(folder, 'r');
    try {
      const shortPath = getShortPath(folder, handle);
      const newest = (await readNumbers(folder)).at(-1);
      const socket = newest === undefined ? undefined : await tryConnect(join(shortPath, formatName(newest)));
      if (socket === undefined) return undefined;
      socket.write(`${line}\n`);
      const [, answer] = (await readLines(socket, 2, timeoutMs)).split('\n');
      if (answer === undefined) throw new Error(`the process that has ${folder} open does not answer`);
      return answer;
    } finally {
      await handle.close();
    }
  }

  /** Returns whether a process of this machine has a folder open. */
  static async isHeldHere(folder: string): Promise<boolean> {
    const handle = await open(folder, 'r');
    try {
      const newest = (await readNumbers(folder)).at(-1);
      if (newest === undefined) return false;
      const socket = await tryConnect(join(getShortPath(folder, handle), formatName(newest)));
      socket?.destroy();
      return socket !== undefined;
    } finally {
      await handle.close();
    }
  }

  async release(): Promise<void> {
    this.server.close();
    await this.handle.close();
  }
}

/** Gives a listening socket the next number if the socket with the highest number is dead, or is superseded. */
async function claimNumber(folder: string, shortPath: string, own: string, supersedes: boolean): Promise<void> {
  for (;;) {
    const newest = (await readNumbers(folder)).at(-1) ?? 0;
    const isFree = newest === 0 || supersedes;
    const holder = isFree ? undefined : await tryConnect(join(shortPath, formatName(newest)));
    if (holder !== undefined) throw new FolderInUseError(folder, await describeHolder(holder));
    const number = newest + 1;
    if (!(await tryLink(join(folder, own), join(folder, formatName(number))))) continue;
    const numbers = await readNumbers(folder);
    if (numbers.at(-1) === number) {
      for (const lower of numbers.slice(0, -1)) await rm(join(folder, formatName(lower)), { force: true });
      return;
    }
    await rm(join(folder, formatName(number)), { force: true });
  }
}

/** Returns a short path of the folder, because the path of a socket has at most 107 bytes. */
function getShortPath(folder: string, handle: FileHandle): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
}

function formatName(number: number): string {
  return `lock-${number}`;
}

async function readNumbers(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((name) => LOCK.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((left, right) => left - right);
}

async function tryLink(path: string, name: string): Promise<boolean> {
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

/** Connects to the listening process; returns undefined if there is none. */
function tryConnect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });
}

/** Sends the identity of this process, then answers one line. */
function greet(socket: Socket, answer: AnswerLine): void {
  socket.unref();
  socket.on('error', () => socket.destroy());
  socket.write(`${hostname()} ${process.pid} ${SELF}\n`);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    const end = received.indexOf('\n');
    if (end === -1) return;
    answer(received.slice(0, end)).then(
      (response) => socket.end(`${response}\n`),
      () => socket.destroy(),
    );
  });
}

/** Reads up to `lines` lines from a socket, fewer if it is closed or the time is up. */
function readLines(socket: Socket, lines: number, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      if (received.split('\n').length > lines) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received.slice(0, received.lastIndexOf('\n')));
    });
  });
}

async function describeHolder(socket: Socket): Promise<string> {
  const [host, pid, self] = (await readLines(socket, 1, GREETING_MS)).split(' ');
  if (pid === undefined) return 'another process';
  if (host !== hostname()) return `process ${pid} of the container or host ${host}`;
  return self === SELF ? 'this very process' : `process ${pid}`;
}
