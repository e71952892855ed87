import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { LIBRARY } from './library-files.ts';

/** Tells TypeScript of imports such as `./property-readers.ts?1&copy`. */
const COPIES = 'src/lang/engines/closures/property-readers-copy.d.ts';

/**
 * Writes the declarations that the entries of the library need, one for each source, with maps: an editor goes from a type
 * to its source.
 */
function writeTypes(): void {
  const declarations = emitDeclarations([...Object.values(LIBRARY), COPIES]);
  for (const path of reachFrom(Object.values(LIBRARY).map(toDeclaration), declarations)) {
    mkdirSync(dirname(path), { recursive: true });
    for (const file of [path, `${path}.map`]) writeFileSync(file, declarations.get(file) as string);
  }
}

/** Returns the content of the declarations and their maps by path. */
function emitDeclarations(roots: string[]): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const output = { noEmit: false, emitDeclarationOnly: true, declaration: true, declarationMap: true };
  const compilerOptions = { ...config.compilerOptions, ...output, rootDir: 'src', outDir: 'dist' };
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: roots }, ts.sys, process.cwd());
  const program = ts.createProgram(roots, options);
  const declarations = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => declarations.set(resolve(path), text));
  if (diagnostics.length > 0) {
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
  }
  return declarations;
}

function toDeclaration(source: string): string {
  return resolve(source.replace(/^src/, 'dist').replace(/\.ts$/, '.d.ts'));
}

/** Returns declarations and all that they import. */
function reachFrom(entries: readonly string[], declarations: ReadonlyMap<string, string>): ReadonlySet<string> {
  const reached = new Set(entries);
  for (const path of reached) {
    const { importedFiles } = ts.preProcessFile(declarations.get(path) as string);
    for (const { fileName } of importedFiles.filter(({ fileName }) => fileName.startsWith('.'))) {
      reached.add(resolve(dirname(path), fileName.replace(/\.ts$/, '.d.ts')));
    }
  }
  return reached;
}

writeTypes();
