/** A part of the benchmark. */
interface SectionRow {
  readonly unit: string;
  /** The engine that its times are divided by, so that another machine, or a busy one, gives the same ratios. */
  readonly reference: string;
  /** The files and folders that it measures: measurements age with each commit that changes one of them. */
  readonly code: readonly string[];
}

const EVALUATION = [
  'src/language',
  'src/operators',
  'src/check',
  'src/plan',
  'src/engines/interpret.ts',
  'src/engines/closures',
  'src/engines/codegen',
  'src/engines/columnar',
];
const COMPILATION = ['src/syntax', ...EVALUATION];
const SERVICE = ['src/server', 'src/datasets', 'src/store'];

export const SECTIONS = {
  speed: { unit: 'ns/event', reference: 'by hand', code: EVALUATION },
  compile: { unit: 'µs', reference: '@marcbachmann/cel-js', code: COMPILATION },
  curve: { unit: 'µs', reference: '@marcbachmann/cel-js', code: COMPILATION },
  'ad hoc': { unit: 'ns/event', reference: 'by hand', code: COMPILATION },
  import: {
    unit: 'ms',
    reference: '@marcbachmann/cel-js',
    code: [...COMPILATION, 'src/explain', 'src/index.ts', '.tsup.config.ts', 'scripts/trim-chevrotain.ts'],
  },
  files: { unit: 's', reference: 'by hand', code: [...COMPILATION, 'src/cli', 'src/events', 'src/segmentation'] },
  sql: {
    unit: 'ms',
    reference: 'by hand',
    code: ['src/operators', 'src/check', 'src/plan', 'src/engines/sql'],
  },
  service: {
    unit: 's, MB',
    reference: 'DuckDB, the same layout by hand, all threads',
    code: [...SERVICE, 'src/storage', 'src/events', 'src/cli/commands/import.ts'],
  },
  queries: { unit: 'ms', reference: 'by hand', code: [...SERVICE, 'src/analytics', 'src/engines/sql'] },
  clients: { unit: 's', reference: 'one after the other', code: [...SERVICE, 'src/analytics', 'src/engines/sql'] },
} as const satisfies Readonly<Record<string, SectionRow>>;

export type Section = keyof typeof SECTIONS;
