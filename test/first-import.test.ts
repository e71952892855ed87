import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

/** The functions that tokenize, parse, check and compile. */
const WORK = ['checkTree', 'getGrammar', 'tokenize', 'tryParse'];

/** Returns which of the functions run in a program. */
function findWork(program: string): string[] {
  const code = `
    import { Session } from 'node:inspector/promises';
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    ${program}
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result.filter(({ url }) => url.includes('/dist/')).flatMap(({ functions }) => functions);
    const called = functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName);
    console.log(JSON.stringify(${JSON.stringify(WORK)}.filter((name) => called.includes(name))));
    process.exit();`;
  const options = ['--input-type=module', '--eval', code];
  return JSON.parse(execFileSync('node', options, { cwd: fileURLToPath(ROOT), encoding: 'utf8' }));
}

it('finds the work of compiling a filter', () => {
  const program = `const { compileWhere } = await import('./dist/index.js'); compileWhere('true');`;
  expect(findWork(program)).toEqual(WORK);
});

/** The entries that Node.js can load without CodeMirror and a page. */
const ENTRIES = Object.keys(exports).filter((entry) => /^\.(?:\/(?!element)\w+)?$/.test(entry));

it.each(ENTRIES)('%s neither parses nor compiles anything while it is imported', (entry) => {
  expect(findWork(`await import('${exports[entry].default}');`)).toEqual([]);
});
