import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/data/random.ts';
import { PROGRAM } from '../cli/cli-process.ts';
import type { TestFolder } from '../end-to-end/server-process.ts';
import { startChild } from '../spawned.ts';
import { DAY } from './batch.ts';
import { readStoredBatches } from './ledger.ts';
import type { Tally } from './tally.ts';

/** The dataset that the commands import into. */
export const DATASET = 'files';

/** A dataset keeps five versions. */
const MAX_VERSIONS = 4;

const FIRST_SECOND = Date.parse(DAY) / 1000;

interface PreparedImport {
  readonly run: number;
  /** The number of records. */
  readonly size: number;
  /** The arguments of `onwhere`. */
  readonly args: readonly string[];
}

/** Runs `onwhere import`. Each run has a number and a file. */
export class ImportCommands {
  private readonly succeeded = new Set<number>();

  constructor(
    private readonly folder: TestFolder,
    private readonly tally: Tally,
    /** The number of records in the file of each run, by run. */
    private readonly sizes = new Map<number, number>(),
  ) {}

  /** Writes the file of a new run. Every second file also has people, which are imported through a log. */
  async prepare(random: Random): Promise<PreparedImport> {
    const run = this.sizes.size + 1;
    const size = random.integer(1, 4_000);
    this.sizes.set(run, size);
    const lines = Array.from({ length: size }, (_, index) => {
      const time = FIRST_SECOND + (index % 3_600);
      const place = `${run}/${index}`;
      if (run % 2 === 0 && index % 2 === 0) return { $distinct_id: place, $union: { united: [place] } };
      return { event: 'order', properties: { distinct_id: 'a', time, batch: run, index } };
    });
    const file = join(this.folder.path, `import-${run}.ndjson`);
    await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    return { run, size, args: ['import', file, '--project', 'shop', '--dataset', DATASET, '--data', this.folder.path] };
  }

  /** Runs a new import and kills it at a random moment, unless it has ended by then. */
  async runAndKill(random: Random): Promise<void> {
    if ((await this.versions()).length >= MAX_VERSIONS) return;
    const { run, args } = await this.prepare(random);
    const child = startChild(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    const ended = once(child, 'close');
    const wait = new AbortController();
    const patience = random.chance(0.2) ? 60_000 : random.integer(200, 2_500);
    await Promise.race([ended, pause(patience, undefined, { signal: wait.signal }).catch(() => undefined)]);
    wait.abort();
    if (child.kill('SIGKILL')) this.tally.kill('import command');
    const [code] = await ended;
    if (code === 0) this.succeed(run);
    this.tally.expect(code === 0 || code === null, `onwhere import ended with ${code}: ${errors}`);
  }

  succeed(run: number): void {
    this.succeeded.add(run);
  }

  /** Compares the stored records with those of the files. No server may have the folder open. */
  async check(): Promise<void> {
    const found = new Set<number>();
    for (const id of await this.versions()) {
      const { indexes } = await readStoredBatches(this.folder.versionFolder(id, DATASET), id);
      const [[run, places] = [0, []], ...others] = indexes;
      const size = this.sizes.get(run);
      this.tally.records += size ?? 0;
      const isWhole = places.length === size && new Set(places).size === size && others.length === 0;
      this.tally.expect(isWhole, `import ${run} has ${places.length} of ${size} records in version ${id}`);
      this.tally.expect(!found.has(run), `import ${run} has two versions`);
      if (found.has(run)) this.tally.doubled += places.length;
      found.add(run);
    }
    for (const run of this.succeeded) {
      this.tally.expect(found.has(run), `import ${run} succeeded but is missing`);
      if (!found.has(run)) this.tally.lost += this.sizes.get(run) ?? 0;
    }
  }

  /** Expects nothing of earlier runs any more, because their versions are deleted. */
  forget(): void {
    this.succeeded.clear();
  }

  /** Returns the ids of the versions that are not deleted. */
  async versions(): Promise<string[]> {
    const names = await readdir(join(this.folder.versionFolder('.', DATASET))).catch(() => []);
    const records = names.map(async (name) => {
      const text = await readFile(join(this.folder.versionFolder(name, DATASET), 'version.json'), 'utf8').catch(
        () => undefined,
      );
      return text !== undefined && JSON.parse(text).deleted !== true ? [name] : [];
    });
    return (await Promise.all(records)).flat();
  }
}
