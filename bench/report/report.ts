import { format } from '../../src/api/expressions.ts';
import { CHAINS } from '../cases/cases.ts';
import { HOSTILE_CASES } from '../cases/hostile-cases.ts';
import { REAL_CASES } from '../cases/real-cases.ts';
import { SYNTHETIC_CASES } from '../cases/synthetic-cases.ts';
import { ONWHERE_DIALECT } from '../engines/onwhere.ts';
import { FILE_CASES } from '../files/file-case.ts';
import { RELATION_CASES } from '../relations/relation-cases.ts';
import { listMeasurements, type Results } from '../results.ts';
import { SECTIONS } from '../sections.ts';
import { SERVICE_CASES } from '../service/service-section.ts';
import type { Measured } from './blocks.ts';
import { describeOrigins } from './origin-lines.ts';
import { renderQueryChapter } from './query-chapter.ts';
import { renderSqlChapter } from './sql-chapter.ts';
import { renderTable, type TableSpec } from './table.ts';

interface Chapter extends TableSpec {
  readonly title: string;
}

const names = (cases: readonly { readonly name: string }[]) => cases.map(({ name }) => name);
const [plain, shapes] = [SYNTHETIC_CASES.slice(0, 4), SYNTHETIC_CASES.slice(4)];

/** The table of the documentation: each engine over all events. */
export const MAIN_TABLE: TableSpec = { section: 'speed', metric: 'whole', cases: names(plain) };

const CHAPTERS: readonly Chapter[] = [
  { ...MAIN_TABLE, title: '100,000 events of 4 shapes, ns per event' },
  {
    section: 'speed',
    metric: 'hot',
    cases: names(plain),
    title: 'The first 1,000 of them, repeated, ns per event',
  },
  { section: 'speed', metric: 'whole', cases: names(shapes), title: '100,000 events of 200 shapes, ns per event' },
  {
    section: 'speed',
    metric: 'hot',
    cases: names(shapes),
    title: 'The first 1,000 of 200 shapes, repeated, ns per event',
  },
  { section: 'speed', metric: 'whole', cases: names(REAL_CASES), title: 'Real events, ns per event' },
  { section: 'speed', metric: 'whole', cases: names(HOSTILE_CASES), title: 'Hostile filters, ns per event' },
  { section: 'compile', metric: 'compile', cases: names(plain), title: 'Parse, check and compile a new source, µs' },
  { section: 'curve', metric: 'compile', cases: names(CHAINS), title: 'Compile sources of increasing length, µs' },
  {
    section: 'ad hoc',
    metric: '1k',
    cases: names(plain),
    title: 'Compiled and run once over 1,000 events, ns per event',
  },
  {
    section: 'ad hoc',
    metric: '10k',
    cases: names(plain),
    title: 'Compiled and run once over 10,000 events, ns per event',
  },
  { section: 'import', metric: 'cold', cases: ['cold import'], title: 'Import the package in a new process, ms' },
  { section: 'relations', metric: 'p95', cases: RELATION_CASES, title: 'Relations of filters, 95th percentile, ms' },
  { section: 'files', metric: 'wall', cases: names(FILE_CASES), title: 'Files, whole process, s' },
  { section: 'service', metric: 'wall', cases: SERVICE_CASES, title: 'Load 5,000,000 events into a store, s' },
  { section: 'service', metric: 'memory', cases: SERVICE_CASES, title: 'Peak memory of the process, MB' },
];

const filters = plain
  .map(({ name, filter }) => `${name}:\n\n\`\`\`\n${format(filter(ONWHERE_DIALECT))}\n\`\`\``)
  .join('\n\n');

/** Returns the measurements that the report shows: one for each section and run. */
export function findReported(name: string, { runs }: Results): (Measured & { readonly title: string })[] {
  return runs.flatMap((run) => {
    const sections = new Set(run.measurements.map(({ section }) => section));
    return Array.from(sections, (section) => ({ ...run, title: `${name}/${section}`, code: SECTIONS[section].code }));
  });
}

/** Renders all results as Markdown. */
export function renderReport(name: string, results: Results): string {
  const measurements = listMeasurements(results);
  const measured = CHAPTERS.filter(({ section, cases }) =>
    measurements.some((one) => one.section === section && cases.includes(one.case)),
  );
  const chapters = measured.flatMap(({ title, ...spec }) => [
    `## ${title}`,
    ...describeOrigins(results, spec.section),
    renderTable(measurements, spec),
    `The mean ratio is relative to: ${SECTIONS[spec.section].reference}.`,
  ]);
  const parts = [filters, ...chapters, ...renderQueryChapter(results), ...renderSqlChapter(results)];
  return `${[`# Benchmark ${name}`, ...parts].join('\n\n')}\n`;
}
