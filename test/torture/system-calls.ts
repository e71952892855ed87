import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What a program did to files, or told a client. Paths are those of the moment. */
export type Operation =
  | { readonly kind: 'open'; readonly path: string; readonly truncates: boolean }
  /** Without `at`, at the end. */
  | { readonly kind: 'write'; readonly path: string; readonly at?: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly length: number }
  /** Zeros in place of some bytes. */
  | { readonly kind: 'punch'; readonly path: string; readonly at: number; readonly length: number }
  /** It covers the operations that had ended when it began: the first so many. */
  | { readonly kind: 'sync'; readonly path: string; readonly covers: number }
  | { readonly kind: 'make folder'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  /** Bytes to a client, by the port of the client. */
  | { readonly kind: 'answer'; readonly port: number }
  /** Bytes to standard output. */
  | { readonly kind: 'print'; readonly text: string };

/** The system calls that change files, or give answers. */
const TRACED = [
  ...['open', 'openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'ftruncate', 'truncate', 'fallocate', 'rename', 'renameat', 'renameat2'],
  ...['link', 'linkat', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir'],
];

/** The command that runs a program and writes its system calls, and those of the processes that it starts, to a file. */
export function tracedCommand(trace: string, command: readonly string[]): string[] {
  const filter = ['-f', '--seccomp-bpf', '-yy', '-xx', '-s', String(2 ** 27), '-e', `trace=${TRACED.join()}`];
  return ['strace', '-D', '-qq', ...filter, '-e', 'signal=none', '-o', trace, ...command];
}

/** The operations that a trace tells of, in the order in which they ended; those below a folder only. */
export async function operationsIn(trace: string, folder: string): Promise<Operation[]> {
  const operations: Operation[] = [];
  const begun = new Map<string, { readonly text: string; readonly covers: number }>();
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
    const operation = operationOf(call, folder, before?.covers ?? operations.length);
    if (operation !== undefined) operations.push(operation);
  }
  return operations;
}

const CALL = /^(\w+)\((.*)\) += (-?\d+)/;

/** A name with the file behind it, `3<\x2f…>`, and what is in quotes. */
const FILE = /^(?:\d+|AT_FDCWD)<([A-Za-z0-9]+:\[[^\]]*\]|[^>]*)>(\(deleted\))?/;
const QUOTED = /"((?:\\x[0-9a-f]{2})*)"/g;

/** @throws {Error} for a call of which it is not known what it does. */
function operationOf(call: string, folder: string, covers: number): Operation | undefined {
  const [, name = '', args = '', result = '-1'] = CALL.exec(call) ?? [];
  if (Number(result) < 0) return undefined;
  const [, encoded = '', deleted] = FILE.exec(args) ?? [];
  const socket = /^TCP(?:v6)?:\[.*->.*:(\d+)\]$/.exec(encoded);
  if (socket !== null) return { kind: 'answer', port: Number(socket[1]) };
  const file = decode(encoded).toString();
  const quoted = [...args.matchAll(QUOTED)].map(([, text = '']) => text);
  if (name.includes('write') && /^1</.test(args))
    return { kind: 'print', text: quoted.map((text) => decode(text)).join('') };
  const isIn = (path: string) => path === folder || path.startsWith(`${folder}/`);
  // Paths are told from the working directory, or from the folder that is named before them.
  const paths = quoted.map((text) => join('/', absolute(file, decode(text).toString())));
  const numbers = args.match(/(?<=, )-?\d+(?=,|$)/g)?.map(Number) ?? [];
  const isOfName = /^(open|openat|creat|rename|renameat|renameat2|link|linkat|unlink|unlinkat|mkdir|mkdirat|rmdir)$/;
  if (isOfName.test(name)) return paths.some(isIn) ? ofName(name, args, paths) : undefined;
  if (!isIn(file) || deleted !== undefined) return undefined;
  switch (name) {
    case 'write':
    case 'writev':
      return { kind: 'write', path: file, bytes: written(quoted, Number(result)) };
    case 'pwrite64':
    case 'pwritev':
    case 'pwritev2':
      return { kind: 'write', path: file, at: numbers.at(-1) as number, bytes: written(quoted, Number(result)) };
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

function ofName(name: string, args: string, paths: readonly string[]): Operation | undefined {
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

function absolute(base: string, path: string): string {
  return path.startsWith('/') ? path : `${base}/${path}`;
}

function decode(encoded: string): Buffer {
  return Buffer.from(encoded.replaceAll('\\x', ''), 'hex');
}

function written(quoted: readonly string[], bytes: number): Buffer {
  return Buffer.concat(quoted.map(decode)).subarray(0, bytes);
}
