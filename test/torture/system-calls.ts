import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** An operation of a program on a file, or a response to a client. Paths are as of the operation. */
export type Operation =
  | { readonly kind: 'open'; readonly path: string; readonly truncates: boolean }
  /** Without `at`, it appends. */
  | { readonly kind: 'write'; readonly path: string; readonly at?: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly length: number }
  /** Overwrites a range with zeros. */
  | { readonly kind: 'punch'; readonly path: string; readonly at: number; readonly length: number }
  /** Covers the first `covers` operations, which had ended when it began. */
  | { readonly kind: 'sync'; readonly path: string; covers: number }
  | { readonly kind: 'make folder'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  /** Sends bytes to a client. The port is that of the client. */
  | { readonly kind: 'respond'; readonly port: number }
  /** Writes to standard output. */
  | { readonly kind: 'print'; readonly text: string };

/** The system calls that change files or send data. */
const TRACED = [
  ...['open', 'openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'ftruncate', 'truncate', 'fallocate', 'rename', 'renameat', 'renameat2'],
  ...['link', 'linkat', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir'],
];

/** Returns a command that runs a program and writes its system calls, and those of its child processes, to a file. */
export function traceCommand(trace: string, command: readonly string[]): string[] {
  const filter = ['-f', '--seccomp-bpf', '-yy', '-xx', '-s', String(2 ** 27), '-e', `trace=${TRACED.join()}`];
  return ['strace', '-D', '-qq', ...filter, '-e', 'signal=none', '-o', trace, ...command];
}

/**
 * Reads the operations below a folder from a trace, in the order in which they ended. One that ended late, after another
 * one that was possible only because of it, comes before that one: on a busy machine a call may have done its work long
 * before the trace shows its end.
 */
export async function readOperations(trace: string, folder: string): Promise<Operation[]> {
  const operations: Operation[] = [];
  const begun = new Map<string, { readonly text: string; covers: number }>();
  const lines = createInterface({ input: createReadStream(trace, 'latin1'), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    const [, process = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const unfinished = rest.endsWith(' <unfinished ...>') ? rest.slice(0, -' <unfinished ...>'.length) : undefined;
    if (unfinished !== undefined) {
      begun.set(process, { text: unfinished, covers: operations.length });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    const before = resumed === null ? undefined : begun.get(process);
    const call = before === undefined ? rest : before.text + rest.slice(resumed?.[0].length);
    const since = before?.covers ?? operations.length;
    begun.delete(process);
    const operation = operationOf(call, folder, since);
    if (operation === undefined) continue;
    const later = operations.findIndex((other, at) => at >= since && isNeededBy(operation, other));
    if (later < 0) operations.push(operation);
    else {
      operations.splice(later, 0, operation);
      for (const other of [...begun.values(), ...operations.slice(later + 1)]) {
        if ('covers' in other && other.covers > later) other.covers++;
      }
    }
  }
  return operations;
}

/** True if the second operation was possible only after the first one. */
function isNeededBy(first: Operation, second: Operation): boolean {
  if (first.kind === 'make folder') return pathsOf(second).some((path) => dirname(path) === first.path);
  const removed = first.kind === 'remove' ? first.path : first.kind === 'rename' ? first.from : undefined;
  return removed !== undefined && second.kind === 'remove' && second.path === dirname(removed);
}

function pathsOf(operation: Operation): string[] {
  if ('path' in operation) return [operation.path];
  return 'from' in operation ? [operation.from, operation.to] : [];
}

const CALL = /^(\w+)\((.*)\) += (-?\d+)/;

/** A file descriptor with its path, such as `3<\x2f…>`, and strings in quotes. */
const FILE = /^(?:\d+|AT_FDCWD)<([A-Za-z0-9]+:\[[^\]]*\]|[^>]*)>(\(deleted\))?/;
const QUOTED = /"((?:\\x[0-9a-f]{2})*)"/g;

/**
 * Parses a call; returns undefined if it failed or changes nothing. @throws {Error} for a call that is not modelled.
 */
function operationOf(call: string, folder: string, covers: number): Operation | undefined {
  const [, name = '', args = '', result = '-1'] = CALL.exec(call) ?? [];
  if (Number(result) < 0) return undefined;
  const [, encoded = '', deleted] = FILE.exec(args) ?? [];
  const socket = /^TCP(?:v6)?:\[.*->.*:(\d+)\]$/.exec(encoded);
  if (socket !== null) return { kind: 'respond', port: Number(socket[1]) };
  const file = decode(encoded).toString();
  const quoted = [...args.matchAll(QUOTED)].map(([, text = '']) => text);
  if (name.includes('write') && /^1</.test(args))
    return { kind: 'print', text: quoted.map((text) => decode(text)).join('') };
  const isIn = (path: string) => path === folder || path.startsWith(`${folder}/`);
  // Paths are relative to the working directory, or to the folder descriptor before them.
  const paths = quoted.map((text) => join('/', resolveFrom(file, decode(text).toString())));
  const numbers = args.match(/(?<=, )-?\d+(?=,|$)/g)?.map(Number) ?? [];
  const isNameCall = /^(open|openat|creat|rename|renameat|renameat2|link|linkat|unlink|unlinkat|mkdir|mkdirat|rmdir)$/;
  if (isNameCall.test(name)) return paths.some(isIn) ? nameOperationOf(name, args, paths) : undefined;
  if (!isIn(file) || deleted !== undefined) return undefined;
  switch (name) {
    case 'write':
    case 'writev':
      return { kind: 'write', path: file, bytes: writtenBytes(quoted, Number(result)) };
    case 'pwrite64':
    case 'pwritev':
    case 'pwritev2':
      return { kind: 'write', path: file, at: numbers.at(-1) as number, bytes: writtenBytes(quoted, Number(result)) };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path: file, covers };
    case 'ftruncate':
      return { kind: 'truncate', path: file, length: numbers[0] as number };
    case 'fallocate':
      if (!args.includes('FALLOC_FL_PUNCH_HOLE')) break;
      return { kind: 'punch', path: file, at: numbers[0] as number, length: numbers[1] as number };
  }
  throw new Error(`not modelled: ${call.slice(0, 300)}`);
}

function nameOperationOf(name: string, args: string, paths: readonly string[]): Operation | undefined {
  const [path = '', to = ''] = paths;
  if (name.startsWith('open') || name === 'creat') {
    if (!/O_CREAT|O_TRUNC/.test(args) && name !== 'creat') return undefined;
    return { kind: 'open', path, truncates: /O_TRUNC/.test(args) };
  }
  if (name.startsWith('rename')) return { kind: 'rename', from: path, to };
  if (name.startsWith('link')) return { kind: 'link', from: path, to };
  if (name.startsWith('mkdir')) return { kind: 'make folder', path };
  return { kind: 'remove', path };
}

function resolveFrom(base: string, path: string): string {
  return path.startsWith('/') ? path : `${base}/${path}`;
}

function decode(encoded: string): Buffer {
  return Buffer.from(encoded.replaceAll('\\x', ''), 'hex');
}

function writtenBytes(quoted: readonly string[], bytes: number): Buffer {
  return Buffer.concat(quoted.map(decode)).subarray(0, bytes);
}
