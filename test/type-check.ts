import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll } from 'vitest';

/** A mistake that TypeScript finds, with its line, from 0. */
interface TypeMistake {
  readonly line: number;
  readonly text: string;
}

/** The libraries of TypeScript, which all programs share. */
const libraries = new Map<string, ts.SourceFile | undefined>();

function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile(name, ...args) {
      if (!/\/lib\.[^/]*d\.ts$/.test(name)) return host.getSourceFile(name, ...args);
      if (!libraries.has(name)) libraries.set(name, host.getSourceFile(name, ...args));
      return libraries.get(name);
    },
  };
}

/** Returns a function that type-checks a program in a folder where it finds the package, as if it was installed, Zod and Valibot. */
export function setUpTypeCheck(): (code: string, module?: ts.ModuleKind, extension?: string) => TypeMistake[] {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-types-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(fileURLToPath(new URL('../', import.meta.url)), join(folder, 'node_modules/onwhere'));
    const packages = fileURLToPath(new URL('../node_modules/', import.meta.url));
    for (const name of ['valibot', 'zod']) symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return (code, module = ts.ModuleKind.NodeNext, extension = 'mts') => {
    const file = join(folder, `program.${extension}`);
    writeFileSync(file, code);
    const options: ts.CompilerOptions = {
      module,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      types: [],
      skipDefaultLibCheck: true,
      preserveSymlinks: true,
    };
    return ts
      .getPreEmitDiagnostics(ts.createProgram([file], options, createHost(options)))
      .map(({ code, messageText, file, start = 0 }) => ({
        line: file?.getLineAndCharacterOfPosition(start).line ?? 0,
        text: `TS${code} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      }));
  };
}
