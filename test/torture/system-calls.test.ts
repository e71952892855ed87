import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOperations } from './system-calls.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-trace-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex').replaceAll(/../g, '\\x$&');

function operationsOf(...lines: readonly string[]) {
  const trace = join(folder, 'trace');
  writeFileSync(trace, lines.map((line) => `${line}\n`).join(''));
  return readOperations(trace, '/d');
}

const file = `18<${hex('/d/x')}>`;

it('reads calls that change files below the folder, and responses to clients', async () => {
  const operations = await operationsOf(
    `7 openat(AT_FDCWD<${hex('/')}>, "${hex('/d/x')}", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = ${file}`,
    `7 pwritev(${file}, [{iov_base="${hex('ab')}", iov_len=2}, {iov_base="${hex('\n')}", iov_len=1}], 2, 5) = 3`,
    `7 write(${file}, "${hex('abc')}", 3) = 2`,
    `7 pwrite64(${file}, ""..., 4096, 0) = -1 ENOSPC (No space left on device)`,
    `7 fallocate(${file}, FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE, 4096, 8192) = 0`,
    `7 renameat2(AT_FDCWD<${hex('/d')}>, "${hex('x')}", AT_FDCWD<${hex('/d')}>, "${hex('/d/y')}", 0) = 0`,
    `7 unlinkat(3<${hex('/d')}>, "${hex('y')}", 0) = 0`,
    `7 write(20<TCP:[127.0.0.1:80->127.0.0.1:4242]>, "${hex('HTTP')}", 4) = 4`,
    `7 write(1<pipe:[1]>, "${hex('done')}", 4) = 4`,
    `7 mkdir("${hex('/elsewhere')}", 0777) = 0`,
    `7 write(${file}(deleted), "${hex('abc')}", 3) = 3`,
  );
  expect(operations).toEqual([
    { kind: 'open', path: '/d/x', truncates: true },
    { kind: 'write', path: '/d/x', at: 5, bytes: Buffer.from('ab\n') },
    { kind: 'write', path: '/d/x', bytes: Buffer.from('ab') },
    { kind: 'punch', path: '/d/x', at: 4_096, length: 8_192 },
    { kind: 'rename', from: '/d/x', to: '/d/y' },
    { kind: 'remove', path: '/d/y' },
    { kind: 'respond', port: 4_242 },
    { kind: 'print', text: 'done' },
  ]);
});

it('orders calls of threads by their end, and returns the operations that a sync covers', async () => {
  const operations = await operationsOf(
    `7 fsync(${file} <unfinished ...>`,
    `8 write(${file}, "${hex('a')}", 1) = 1`,
    '7 <... fsync resumed>) = 0',
  );
  expect(operations).toEqual([
    { kind: 'write', path: '/d/x', bytes: Buffer.from('a') },
    { kind: 'sync', path: '/d/x', covers: 0 },
  ]);
});

it('puts a call whose end is late before those that were possible only after it', async () => {
  const operations = await operationsOf(
    `9 unlink("${hex('/d/f/x')}" <unfinished ...>`,
    `7 mkdir("${hex('/d/g')}", 0777 <unfinished ...>`,
    `8 rmdir("${hex('/d/f')}") = 0`,
    `6 fsync(${file} <unfinished ...>`,
    `8 openat(AT_FDCWD<${hex('/')}>, "${hex('/d/g/y')}", O_WRONLY|O_CREAT, 0666) = 19<${hex('/d/g/y')}>`,
    '9 <... unlink resumed>) = 0',
    '7 <... mkdir resumed>) = 0',
    '6 <... fsync resumed>) = 0',
  );
  expect(operations).toEqual([
    { kind: 'remove', path: '/d/f/x' },
    { kind: 'remove', path: '/d/f' },
    { kind: 'make folder', path: '/d/g' },
    { kind: 'open', path: '/d/g/y', truncates: false },
    { kind: 'sync', path: '/d/x', covers: 2 },
  ]);
});

it('throws on calls that it does not model', async () => {
  await expect(operationsOf(`7 copy_file_range(${file}, NULL, ${file}, NULL, 10, 0) = 10`)).rejects.toThrow(
    'not modelled',
  );
});
