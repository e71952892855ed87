import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Lines enough for other threads to be called. */
const MANY_LINES = 3_000_000;

it.each([1, MANY_LINES])('ends quietly when nobody reads more of its output than %i lines', async (lines) => {
  const script = `set -o pipefail; yes '{"a":1}' 2>&- | node "${program}" filter true | head -n ${lines} | tail -n 1`;
  const failed = await promisify(execFile)('bash', ['-c', `{ ${script}; echo "codes \${PIPESTATUS[1]}"; }`]);
  expect(failed).toEqual({ stdout: '{"a":1}\ncodes 0\n', stderr: '' });
});

it.each([1, 8 * MANY_LINES])('ends quietly on Ctrl-C after %i bytes of output', async (bytes) => {
  const child = spawn(process.execPath, [program, 'filter', 'true']);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  child.stdin.on('error', () => undefined).write('{"a":1}\n'.repeat(MANY_LINES + 100_000));
  await new Promise<void>((resolve) => {
    let read = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read >= bytes) resolve();
    });
  });
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect({ code, err }).toEqual({ code: 130, err: '' });
});
