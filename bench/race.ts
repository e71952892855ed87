import type { Case } from './cases/case.ts';
import { Contestant, Failure } from './contestant.ts';
import type { Engine } from './engines/engine.ts';
import type { Measurement } from './results.ts';
import type { Section } from './sections.ts';
import { summarize } from './statistics.ts';
import type { Round } from './tasks/task.ts';
import type { TaskName } from './tasks/tasks.ts';

interface Race {
  readonly section: Section;
  readonly task: TaskName;
  readonly testCase: Case;
  readonly engines: readonly Engine[];
  readonly rounds: number;
  /** The indexes of the events that must be selected. */
  readonly expected: Uint32Array;
}

interface Entry {
  readonly engine: string;
  readonly contestant: Contestant;
  readonly rounds: Round[];
  failed?: string;
}

/**
 * Runs engines on a case. Each is checked first. Then they take turns, so that disturbances affect all of them alike.
 */
export async function race({ section, task, testCase, engines, rounds, expected }: Race): Promise<Measurement[]> {
  const entries: Entry[] = [];
  try {
    for (const { name: engine } of engines) {
      const entry: Entry = { engine, contestant: new Contestant({ task, engine, case: testCase.name }), rounds: [] };
      entries.push(entry);
      await attempt(entry, async () => assertSame(expected, await entry.contestant.ready()));
    }
    for (let round = 0; round < rounds; round++) {
      for (const entry of entries.filter(({ failed }) => failed === undefined)) {
        await attempt(entry, async () => void entry.rounds.push(await entry.contestant.round()));
      }
    }
  } finally {
    for (const { contestant } of entries) contestant.end();
  }
  return entries.map(({ engine, failed, rounds }) => ({
    section,
    case: testCase.name,
    engine,
    ...(failed === undefined ? { metrics: summarizeRounds(rounds) } : { failed }),
  }));
}

async function attempt(entry: Entry, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    entry.failed = error.message;
    entry.contestant.end();
  }
}

/** @throws {Failure} if an engine selects other events. */
function assertSame(expected: Uint32Array, rows: Uint32Array | undefined): void {
  if (rows === undefined) return;
  const length = Math.max(expected.length, rows.length);
  for (let index = 0; index < length; index++) {
    const [wanted = Number.POSITIVE_INFINITY, found = Number.POSITIVE_INFINITY] = [expected[index], rows[index]];
    if (wanted !== found) throw new Failure(`other answer for event ${Math.min(wanted, found)}`);
  }
}

function summarizeRounds(rounds: readonly Round[]): Measurement['metrics'] {
  const metrics = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    metrics.map((metric) => [metric, summarize(rounds.map((round) => round[metric] ?? Number.NaN))]),
  );
}
