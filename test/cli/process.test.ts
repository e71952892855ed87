import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

it('ends quietly when nobody reads its output any more', async () => {
  const many = `node -e 'for (let i = 0; i < 200000; i++) console.log(JSON.stringify({ i }))'`;
  const script = `set -o pipefail; ${many} 2>&- | node "${program}" filter true | head -n 1`;
  const failed = await promisify(execFile)('bash', ['-c', `{ ${script}; echo "codes \${PIPESTATUS[1]}"; }`]);
  expect(failed).toEqual({ stdout: '{"i":0}\ncodes 0\n', stderr: '' });
});

it('ends quietly on Ctrl-C', async () => {
  const child = spawn(process.execPath, [program, 'filter', 'true']);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  // More than is gathered before it is written: the output shows that the command is at work.
  child.stdin.write('{"a":1}\n'.repeat(100_000));
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect({ code, err }).toEqual({ code: 130, err: '' });
});
