import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../spawned.ts';
import { applyMutant, type Mutant } from './mutant.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A test that runs longer than this fails: the mutant may never end. */
const TIME_LIMIT_MS = 300_000;

/** The numbers of tests that passed and failed, and the output of the run. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

/** A copy of the project in which mutants are tried, so that the files of the project never change. */
export class WorkingCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'onwhere-mutants-'));

  /** Copies all files that git does not ignore, and links the installed packages. */
  constructor() {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
    for (const path of `${listed}`.split('\0').filter((one) => one !== '' && existsSync(join(ROOT, one)))) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      cpSync(join(ROOT, path), join(this.folder, path));
    }
    for (const packages of ['node_modules', 'test/node_modules', 'test/clickhouse/node_modules']) {
      if (existsSync(join(ROOT, packages))) symlinkSync(join(ROOT, packages), join(this.folder, packages));
    }
  }

  /** Runs the test of a mutant on its source, and restores the file. */
  async runMutant(mutant: Mutant): Promise<TestRun> {
    const path = join(this.folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, applyMutant(source, mutant));
    try {
      return await this.runTest(mutant);
    } finally {
      writeFileSync(path, source);
    }
  }

  /** Runs a test. */
  runTest({ test, name }: Pick<Mutant, 'test' | 'name'>): Promise<TestRun> {
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    const options = ['--config', 'test/vitest.config.ts', '--reporter', 'json', '--outputFile', report];
    const filter = name === undefined ? [] : ['-t', name];
    const command = ['node_modules/vitest/vitest.mjs', 'run', test, ...options, ...filter];
    const child = startChild(process.execPath, command, { cwd: this.folder, timeout: TIME_LIMIT_MS });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => {
        const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
        resolve({ passed: counts.numPassedTests ?? 0, failed: counts.numFailedTests ?? 0, output });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
