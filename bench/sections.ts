/** A part of the benchmark. */
interface SectionRow {
  readonly unit: string;
  /** The engine by whose times all times are divided, because ratios are similar on other and on busy machines. */
  readonly reference: string;
  /** The measured files and folders. Measurements become stale when commits change them. */
  readonly code: readonly string[];
}

const EVALUATION = [
  'src/lang/ast.ts',
  'src/lang/types.ts',
  'src/lang/value.ts',
  'src/lang/operators',
  'src/lang/check',
  'src/lang/plan',
  'src/lang/engines/interpret.ts',
  'src/lang/engines/closures',
  'src/lang/engines/codegen',
  'src/lang/engines/columnar',
];
const COMPILATION = ['src/lang/syntax', ...EVALUATION];
const SERVICE = ['src/service/server', 'src/service/datasets', 'src/service/store'];

export const SECTIONS = {
  speed: { unit: 'ns/event', reference: 'by hand', code: EVALUATION },
  compile: { unit: 'µs', reference: '@marcbachmann/cel-js', code: COMPILATION },
  curve: { unit: 'µs', reference: '@marcbachmann/cel-js', code: COMPILATION },
  'ad hoc': { unit: 'ns/event', reference: 'by hand', code: COMPILATION },
  import: {
    unit: 'ms',
    reference: '@marcbachmann/cel-js',
    code: [...COMPILATION, 'src/lang/explain', 'src/api/index.ts', 'tsup.config.ts', 'scripts/trim-chevrotain.ts'],
  },
  files: { unit: 's', reference: 'by hand', code: [...COMPILATION, 'src/cli', 'src/data'] },
  sql: {
    unit: 'ms',
    reference: 'by hand',
    code: ['src/lang/operators', 'src/lang/check', 'src/lang/plan', 'src/lang/engines/sql'],
  },
  service: {
    unit: 's, MB',
    reference: 'DuckDB, the same layout by hand, all threads',
    code: [...SERVICE, 'src/service/storage', 'src/data', 'src/cli/commands/import.ts'],
  },
  queries: { unit: 'ms', reference: 'by hand', code: [...SERVICE, 'src/service/analytics', 'src/lang/engines/sql'] },
  clients: {
    unit: 's',
    reference: 'one after the other',
    code: [...SERVICE, 'src/service/analytics', 'src/lang/engines/sql'],
  },
} as const satisfies Readonly<Record<string, SectionRow>>;

export type Section = keyof typeof SECTIONS;
