import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/api/index.ts';
import { type SqlSource, toSql } from '../../../src/api/sql.ts';
import { complete } from '../../../src/editor/complete.ts';
import { hover } from '../../../src/editor/hover.ts';
import { walk } from '../../../src/lang/ast.ts';
import type { Dialect } from '../../../src/lang/engines/sql/dialect.ts';
import { DIALECTS } from '../../../src/lang/engines/sql/dialects/dialects.ts';
import type { StrictRow } from '../../../src/lang/operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, OPERATORS, PREFIX } from '../../../src/lang/operators/table.ts';
import { tryParse } from '../../../src/lang/syntax/parse.ts';
import { describeTypes } from '../../../src/lang/types.ts';
import { VECTOR_FILES, vectorsIn } from '../../vectors.ts';

const ROOT = new URL('../../../', import.meta.url);
const pathOf = (file: string) => fileURLToPath(new URL(file, ROOT));

const STRICT = OPERATORS.filter((row): row is StrictRow => 'overloads' in row);
const titled = STRICT.map((row) => [`${row.fixity} ${row.name}`, row] as const);

/** Returns an expression with the operator, and the offset of the operator. */
function written({ fixity, name }: StrictRow): { source: string; at: number } {
  return fixity === 'infix'
    ? { source: `properties["a"] ${name} properties["b"]`, at: 'properties["a"] '.length }
    : { source: `${name}(properties["a"])`, at: 0 };
}

describe.each(Object.entries({ LOGICAL, PREFIX, BINARY, FUNCTIONS }))('the rows of %s', (_, table) => {
  it('have their keys as names, and are in OPERATORS', () => {
    const rows = Object.values(table);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(table));
    expect(OPERATORS).toEqual(expect.arrayContaining(rows));
  });
});

describe.each(titled)('%s', (_, row) => {
  const { source, at } = written(row);

  it('is completed, with its documentation', () => {
    if (row.fixity === 'prefix' && !/\w/.test(row.name)) return;
    const [text, offset] = row.fixity === 'infix' ? ['properties["a"] ', at] : [row.name, row.name.length];
    const offer = complete(text, offset).items.find(({ label }) => label === row.name);
    expect(offer?.documentation).toContain(row.summary);
  });

  it('is explained by hover', () => {
    expect(hover(source, at)?.documentation).toContain(row.summary);
  });

  it('has a cost', () => {
    const scans = row.overloads.some(({ grows = 'never' }) => grows !== 'never') ? 1 : 0;
    expect(explain(source).cost).toEqual({ reads: row.fixity === 'infix' ? 2 : 1, operations: 1, scans });
  });

  it('has a section in the reference, with the types of each overload', () => {
    const [, ...sections] = readFileSync(pathOf('grammar/operators.md'), 'utf8').split('\n## ');
    const title = row.fixity === 'prefix' ? `Prefix \`${row.name}\`` : `\`${row.name}\``;
    const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
    expect(section).toContain(row.summary);
    for (const { result } of row.overloads) expect(section).toContain(describeTypes(result));
  });
});

describe('the conformance vectors', () => {
  it('contain every strict operator', () => {
    const met = new Set<string>();
    for (const { expr } of VECTOR_FILES.flatMap(vectorsIn)) {
      const { tree } = tryParse(expr);
      if (tree === undefined) continue;
      for (const node of walk(tree)) if ('operator' in node) met.add(`${node.kind} ${node.operator}`);
    }
    const kinds = { infix: 'binary', prefix: 'prefix', function: 'call' } as const;
    const without = STRICT.filter(({ fixity, name }) => !met.has(`${kinds[fixity]} ${name}`));
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

describe.each(Object.values<Dialect>(DIALECTS))('the dialect $name', (dialect) => {
  const source: SqlSource = { table: 'events', properties: { rest: { kind: 'json', column: 'properties' } } };

  it.each(titled)('has SQL for %s', (_, row) => {
    expect(() => toSql(written(row).source, dialect, source)).not.toThrow();
  });

  it('throws for an unknown overload', () => {
    const { floor, ...overloads } = dialect.overloads;
    const without = { ...dialect, overloads } as Dialect;
    for (const use of ['value', 'where', 'on'] as const) {
      expect(() => toSql('floor(properties["a"]) > 1', without, source, { use })).toThrow(
        `${dialect.name} has no SQL for the overload floor`,
      );
    }
  });
});

describe('a new row', () => {
  const TABLE = pathOf('src/lang/operators/table.ts');
  const DIALECT_FILES = Object.keys(DIALECTS).map((name) => pathOf(`src/lang/engines/sql/dialects/${name}.ts`));
  const ROW = `
  probe: {
    name: 'probe', fixity: 'function', power: POWER.primary, summary: 'Lower case.', examples: [['probe("A")', '"a"']],
    overloads: [{ id: 'probe', operands: [STRING], result: STRING, grows: 'any', evaluate: (operand: string) => operand.toLowerCase() }],
  },
`;
  const config = ts.readConfigFile(pathOf('tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, pathOf('.'));
  const files = new Map<string, ts.SourceFile | undefined>();

  /** Returns the errors of the compiler if the table ends with these rows. */
  function errorsIn(checked: readonly string[], end: string, newEnd: string): (readonly string[])[] {
    const text = readFileSync(TABLE, 'utf8');
    expect(text.split(end)).toHaveLength(2);
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile;
    host.getSourceFile = (path, target) => {
      if (path === TABLE) return ts.createSourceFile(path, text.replace(end, newEnd), target);
      if (!files.has(path)) files.set(path, read(path, target));
      return files.get(path);
    };
    const program = ts.createProgram(checked, options, host);
    return checked.map((path) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    );
  }

  const END_OF_BINARY =
    '} as const satisfies Record<string, BinaryRow>;\n\n// biome-ignore format: a table, to be read by its rows\nexport const FUNCTIONS';
  const END_OF_FUNCTIONS = '} as const satisfies Record<string, FunctionRow>;';

  it('does not compile if a dialect has no SQL for it', () => {
    for (const errors of errorsIn(DIALECT_FILES, END_OF_FUNCTIONS, ROW + END_OF_FUNCTIONS)) {
      expect(errors).toEqual([expect.stringMatching(/'probe' is missing in type/)]);
    }
  });

  it('does not compile in a table with another fixity', () => {
    const [errors] = errorsIn([TABLE], END_OF_BINARY, ROW + END_OF_BINARY);
    expect(errors).toContainEqual(expect.stringMatching(/'"function"' is not assignable to type '"infix"'/));
  });
});
