import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

interface Export {
  readonly name: string;
  /** Whether it is a function or a class. */
  readonly callable: boolean;
  readonly documented: boolean;
}

/** The imports and exports of a source file. */
export interface SourceFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly lines: number;
  /** The specifiers of all imports, including those of types. */
  readonly imports: readonly string[];
  readonly exports: readonly Export[];
  /** All identifiers except names of properties: local, imported and global ones. */
  readonly names: ReadonlySet<string>;
  /** The code that the file searches by characters: before `.includes(…)`, or in `pattern.test(…)`. */
  readonly searched: readonly string[];
  /** The first line of each docstring. */
  readonly docstrings: readonly string[];
}

const METHODS_OF_STRINGS = [
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
  'startsWith',
];
const METHODS_OF_PATTERNS = ['exec', 'test'];

/** Lists the TypeScript files below a folder, except those of packages and declarations. */
export function listSourcePaths(folder: URL, below = ''): string[] {
  return readdirSync(new URL(below, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listSourcePaths(folder, `${path}/`);
      return /(?<!\.d)\.tsx?$/.test(path) ? path : [];
    })
    .sort();
}

/** Reads the imports and exports of every TypeScript file below a folder. */
export function readSourceFiles(folder: URL): SourceFile[] {
  return listSourcePaths(folder).map((path) => {
    const text = readFileSync(new URL(path, folder), 'utf8');
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lines = text.trimEnd().split('\n').length;
    const docstrings = [...text.matchAll(/\/\*\*\s+(?:\* )?(.*)/g)].map(([, first = '']) => first);
    return { path, lines, ...importsAndNamesIn(tree), exports: exportsOf(tree), docstrings };
  });
}

function importsAndNamesIn(tree: ts.SourceFile): Pick<SourceFile, 'imports' | 'names' | 'searched'> {
  const imports: string[] = [];
  const names = new Set<string>();
  const searched: string[] = [];
  const add = (specifier: ts.Node | undefined) => {
    if (specifier && ts.isStringLiteralLike(specifier)) imports.push(specifier.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (!isPropertyName(node)) names.add(node.text);
    } else if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0]);
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (METHODS_OF_STRINGS.includes(name.text)) searched.push(expression.getText());
      if (METHODS_OF_PATTERNS.includes(name.text)) searched.push(...node.arguments.map((given) => given.getText()));
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { imports, names, searched };
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node;
  return ts.isClassElement(parent) || ts.isTypeElement(parent);
}

function exportsOf(tree: ts.SourceFile): Export[] {
  return tree.statements.filter(isExported).flatMap((node): Export[] => {
    const documented = ts.getJSDocCommentsAndTags(node).length > 0;
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.map(({ name, initializer }) => {
        return { name: name.getText(), callable: initializer !== undefined && isCallable(initializer), documented };
      });
    }
    if (!ts.isDeclarationStatement(node) || !node.name) return [];
    return [{ name: node.name.getText(), callable: isCallable(node), documented }];
  });
}

function isExported(node: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function isCallable(node: ts.Node): boolean {
  return ts.isFunctionLike(node) || ts.isClassLike(node);
}
