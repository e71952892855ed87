import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inexpressible } from '../dialect.ts';
import type { IsSelected } from '../options.ts';
import type { Measurement } from '../results.ts';
import { summarize } from '../statistics.ts';
import { BY_HAND_TOOL } from './by-hand-tool.ts';
import { DUCKDB_TOOLS } from './duckdb-tool.ts';
import { unpackRealEvents, writeSyntheticEvents } from './events-files.ts';
import { FILE_CASES, type FileCase } from './file-case.ts';
import { JQ_TOOL } from './jq-tool.ts';
import { ONWHERE_TOOL } from './onwhere-tool.ts';
import type { Tool } from './tool.ts';

const TOOLS: readonly Tool[] = [BY_HAND_TOOL, ONWHERE_TOOL, JQ_TOOL, ...DUCKDB_TOOLS];
/** Milliseconds. */
const TIMEOUT_MS = 120_000;

interface Entry {
  readonly tool: Tool;
  readonly seconds: number[];
  failed?: string;
}

/**
 * Times whole processes over files, from start to end. All must have the result of the script by hand. `events` is the
 * length of the synthetic file: 950,000 events are about 200 MB.
 */
export async function* measureFiles(
  events: number,
  rounds: number,
  isSelected: IsSelected,
): AsyncGenerator<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-bench-'));
  try {
    const synthetic = join(folder, 'synthetic.ndjson');
    const cases = FILE_CASES.filter(({ name }) => isSelected('files', name));
    if (cases.some(({ dataset }) => dataset === undefined)) await writeSyntheticEvents(synthetic, events);
    for (const testCase of cases) {
      const file = testCase.dataset === undefined ? synthetic : join(folder, `${testCase.dataset}.ndjson`);
      if (testCase.dataset !== undefined && !(await unpackRealEvents(testCase.dataset, file))) {
        console.log(`Skipped "${testCase.name}": its data set is missing.`);
      } else {
        yield timeTools(testCase, file, rounds, join(folder, 'printed'));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs all tools. The first round checks the results and is not timed; it also loads the file into the page cache. */
function timeTools(testCase: FileCase, file: string, rounds: number, output: string): Measurement[] {
  const entries = TOOLS.map((tool): Entry => ({ tool, seconds: [] }));
  let expected: string | undefined;
  for (let round = 0; round <= rounds; round++) {
    for (const entry of entries.filter(({ failed }) => failed === undefined)) {
      const { seconds, failed } = run(entry.tool, testCase, file, output);
      if (failed !== undefined) entry.failed = failed;
      else if (round > 0) entry.seconds.push(seconds);
      else {
        const result = readResult(readFileSync(output, 'utf8'), entry.tool, testCase);
        expected ??= result;
        if (result !== expected) entry.failed = 'other answer';
      }
    }
  }
  return entries.map(({ tool, seconds, failed }) => ({
    section: 'files',
    case: testCase.name,
    engine: tool.name,
    ...(failed === undefined ? { metrics: { wall: summarize(seconds) } } : { failed }),
  }));
}

function run(tool: Tool, testCase: FileCase, file: string, output: string): { seconds: number; failed?: string } {
  const printed = openSync(output, 'w');
  try {
    const [program, ...args] = tool.command(testCase, file);
    const start = performance.now();
    const { error, status, signal } = spawnSync(program, args, {
      stdio: ['ignore', printed, 'ignore'],
      timeout: TIMEOUT_MS,
    });
    const seconds = (performance.now() - start) / 1000;
    if (error !== undefined)
      return { seconds, failed: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'n/a' : '> 120 s' };
    return status === 0 ? { seconds } : { seconds, failed: `exit ${signal ?? status}` };
  } catch (error) {
    if (error instanceof Inexpressible) return { seconds: 0, failed: 'n/a' };
    throw error;
  } finally {
    closeSync(printed);
  }
}

/**
 * Returns the result of a case as a string. For a filter, it is the number of lines, because databases print properties
 * in another form.
 */
function readResult(printed: string, { segments = JSON.parse }: Tool, { command }: FileCase): string {
  if (command === 'count') return printed.trim();
  if (command === 'filter') return String(printed.split('\n').length - 1);
  return JSON.stringify(Object.entries(segments(printed)).sort());
}
