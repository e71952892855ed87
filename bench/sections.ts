/** A part of the benchmark. */
interface SectionRow {
  readonly unit: string;
  /** The engine by whose times all times are divided, because ratios are similar on other and on busy machines. */
  readonly reference: string;
  /** The source files that the benchmark calls or starts. */
  readonly entries: readonly string[];
  /**
   * Files and folders with the entries and all that they import. Measurements become stale when commits change them.
   */
  readonly code: readonly string[];
}

/** The folders that every engine imports. */
const LANGUAGE = [
  ...[
    ...['adjacent-doubles', 'ast', 'diagnostic', 'diagnostic-wording', 'errors', 'intern', 'render', 'source', 'steps'],
    ...['types', 'value'],
  ].map((name) => `src/lang/${name}.ts`),
  'src/base',
  ...['operators', 'syntax', 'check', 'plan'].map((name) => `src/lang/${name}`),
  'src/lang/engines/interpret.ts',
  'src/lang/engines/closures',
  ...['arguments', 'expressions', 'query-options'].map((name) => `src/api/${name}.ts`),
];

const ENGINES = {
  entries: ['src/api/batches.ts', 'src/api/expressions.ts', 'src/lang/engines/codegen/codegen.ts'],
  code: [...LANGUAGE, 'src/api/batches.ts', 'src/lang/engines/codegen', 'src/lang/engines/columnar'],
};
const SERVER = {
  entries: ['src/service/server/serve.ts'],
  code: ['src/api', 'src/base', 'src/data', 'src/lang', 'src/queries', 'src/service'],
};

export const SECTIONS = {
  speed: { unit: 'ns/event', reference: 'by hand', ...ENGINES },
  compile: { unit: 'µs', reference: '@marcbachmann/cel-js', ...ENGINES },
  curve: { unit: 'µs', reference: '@marcbachmann/cel-js', ...ENGINES },
  'ad hoc': { unit: 'ns/event', reference: 'by hand', ...ENGINES },
  import: {
    unit: 'ms',
    reference: '@marcbachmann/cel-js',
    entries: ['src/api/index.ts'],
    code: ['src/api', 'src/base', 'src/lang', 'tsup.config.ts', 'scripts/trim-chevrotain.ts'],
  },
  relations: {
    unit: 'ms',
    reference: 'parse and check',
    entries: ['src/api/relate.ts'],
    code: [
      ...LANGUAGE,
      'src/api/relate.ts',
      'src/lang/relate',
      'src/lang/explain/simplify-tree.ts',
      'src/lang/filters/plan-key.ts',
    ],
  },
  files: {
    unit: 's',
    reference: 'by hand',
    entries: ['src/cli/commands/filter.ts', 'src/cli/commands/count.ts', 'src/cli/commands/segment.ts'],
    code: [...SERVER.code, 'src/cli', 'src/editor/highlight.ts'],
  },
  sql: {
    unit: 'ms',
    reference: 'by hand',
    entries: ['src/api/to-sql.ts'],
    code: [...LANGUAGE, 'src/api/to-sql.ts', 'src/lang/engines/sql'],
  },
  service: {
    unit: 's, MB',
    reference: 'DuckDB, the same layout by hand, all threads',
    entries: ['src/cli/commands/import.ts'],
    code: [...SERVER.code, 'src/cli'],
  },
  queries: { unit: 'ms', reference: 'by hand', ...SERVER },
  clients: { unit: 's', reference: 'one after the other', ...SERVER },
} as const satisfies Readonly<Record<string, SectionRow>>;

export type Section = keyof typeof SECTIONS;
