import { readFileSync } from 'node:fs';
import type { Options } from 'tsup';
import ts from 'typescript';

type TsupPlugin = NonNullable<Options['plugins']>[number];

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
  inlineSources: true,
};

/**
 * Returns a source as JavaScript, for a bundler that keeps only comments with a licence and drops only calls that are
 * marked as pure. All comments pose as licences, until {@link restoreComments}; and all calls that run when the file is
 * loaded are marked, since no file of the library has effects when it is loaded.
 */
export function toReadableScript(path: string): string {
  const source = readFileSync(path, 'utf8');
  const options = { fileName: path, compilerOptions: OPTIONS, transformers: { before: [markConstants] } };
  const code = ts.transpileModule(source, options).outputText;
  const starts = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const { pos } of ts.getLeadingCommentRanges(code, node.pos) ?? []) starts.add(pos);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.ES2022));
  // `/** a` becomes `/*!* a`, and `// a` becomes `//! a`. Comments that bundlers read stay.
  const isMark = (start: number) => /^.. ?[@#]/.test(code.slice(start, start + 4));
  return [...starts]
    .filter((start) => !isMark(start))
    .sort((a, b) => b - a)
    .reduce((text, start) => `${text.slice(0, start + 2)}!${text.slice(start + 2)}`, code);
}

/** The comments that pose as licences, and the first of two references to the source map. */
const POSING = /(?<=^\s*\/[/*])!(?=[*\s])|^\/\/# sourceMappingURL.*\n/gm;

/** Turns the comments of readable scripts back. No line moves, so the source maps still fit. */
export const restoreComments: TsupPlugin = {
  name: 'restore-comments',
  renderChunk: (code, { map = null }) => ({ code: code.replace(POSING, ''), map }),
};

const { factory } = ts;

/** Marks what the constants of a file call, so that a bundler drops the constants that a program does not use. */
const markConstants: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  const markCalls = (node: ts.Node): ts.Node => {
    if (isRunLater(node)) return node;
    const visited = ts.visitEachChild(node, markCalls, context);
    return ts.isCallExpression(node) || ts.isNewExpression(node) ? markPure(visited) : visited;
  };
  const markInitializer = (node: ts.Node): ts.Node => {
    if (!ts.isVariableDeclaration(node) || node.initializer === undefined)
      return ts.visitEachChild(node, markInitializer, context);
    const { name, exclamationToken, type, initializer } = node;
    const marked = isOpaque(initializer) ? callPure(initializer) : markCalls(initializer);
    return factory.updateVariableDeclaration(node, name, exclamationToken, type, marked as ts.Expression);
  };
  const visit = (node: ts.Node) =>
    ts.isVariableStatement(node) ? markInitializer(node) : ts.isClassDeclaration(node) ? markCalls(node) : node;
  return ts.visitEachChild(file, visit, context);
};

function markPure<Node extends ts.Node>(node: Node): Node {
  return ts.addSyntheticLeadingComment(node, ts.SyntaxKind.MultiLineCommentTrivia, ' @__PURE__ ');
}

function callPure(expression: ts.Expression): ts.Expression {
  const body = ts.isObjectLiteralExpression(expression)
    ? factory.createParenthesizedExpression(expression)
    : expression;
  const arrow = factory.createArrowFunction(undefined, undefined, [], undefined, undefined, body);
  return markPure(factory.createCallExpression(factory.createParenthesizedExpression(arrow), undefined, []));
}

function isRunLater(node: ts.Node): boolean {
  return ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
}

function isStatic({ modifiers }: ts.PropertyDeclaration): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

/** Returns whether bundlers suspect an effect other than a call: a getter, an iterator or a conversion to a string. */
function isOpaque(node: ts.Node): boolean {
  if (isRunLater(node)) return false;
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) return true;
  if (ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return !(ts.isCallExpression(node.parent) && node.parent.expression === node) || isOpaque(node.expression);
  }
  return ts.forEachChild(node, isOpaque) ?? false;
}
