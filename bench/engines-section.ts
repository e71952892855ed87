import { BenchError } from './bench-error.ts';
import type { Case } from './cases/case.ts';
import { CHAINS } from './cases/cases.ts';
import { HOSTILE_CASES } from './cases/hostile-cases.ts';
import { REAL_CASES } from './cases/real-cases.ts';
import { SYNTHETIC_CASES } from './cases/synthetic-cases.ts';
import type { Engine } from './engines/engine.ts';
import { ENGINES } from './engines/engines.ts';
import type { IsSelected } from './options.ts';
import { race } from './race.ts';
import type { Measurement } from './results.ts';
import type { Section } from './sections.ts';
import type { TaskName } from './tasks/tasks.ts';

interface Part {
  readonly section: Section;
  readonly task: TaskName;
  readonly cases: readonly Case[];
}

const plain = SYNTHETIC_CASES.filter(({ name }) => !name.includes('shapes'));

const PARTS: readonly Part[] = [
  { section: 'speed', task: 'speed', cases: [...SYNTHETIC_CASES, ...REAL_CASES, ...HOSTILE_CASES] },
  { section: 'compile', task: 'compile', cases: plain },
  { section: 'curve', task: 'compile', cases: CHAINS },
  { section: 'ad hoc', task: 'adHoc', cases: plain.filter(({ name }) => name === 'P2' || name === 'P4') },
];

/** Runs every engine on every selected case. */
export async function* measureEngines(rounds: number, isSelected: IsSelected): AsyncGenerator<Measurement[]> {
  for (const { section, task, cases } of PARTS) {
    const engines = ENGINES.filter((engine) => runsTask(engine, task));
    for (const testCase of cases.filter(({ name }) => isSelected(section, name))) {
      const expected = task === 'speed' ? selectByHand(testCase) : new Uint32Array();
      if (expected === undefined) console.log(`Skipped "${testCase.name}": its data set is missing.`);
      else yield await race({ section, task, testCase, engines, rounds, expected });
    }
  }
}

/** Only `speed` runs all engines: filters by hand are not compiled, and engines over sets plan in every run. */
function runsTask({ group, over }: Engine, task: TaskName): boolean {
  if (task === 'speed') return true;
  return over === 'records' && (task === 'adHoc' || group !== 'by hand');
}

/** Returns the indexes of the events that must be selected; undefined if there are no events. */
function selectByHand({ name, events, byHand, byHandOwn, known }: Case): Uint32Array | undefined {
  const all = events();
  if (all.length === 0) return undefined;
  const rows = all.flatMap((properties, row) => (byHand(properties) ? [row] : []));
  if (all.some((properties) => byHand(properties) !== byHandOwn(properties))) {
    throw new BenchError(`The two filters by hand of "${name}" differ.`);
  }
  if (known !== undefined && rows.length !== known) {
    throw new BenchError(`By hand, "${name}" selects ${rows.length} events; other tools select ${known}.`);
  }
  return Uint32Array.from(rows);
}
