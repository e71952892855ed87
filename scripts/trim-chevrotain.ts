import { readFileSync } from 'node:fs';
import type { Options } from 'tsup';
import ts from 'typescript';
import type { Plugin as VitePlugin } from 'vite';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * The functions of Chevrotain that a finished grammar never calls, by file. They check grammars, build concrete syntax
 * trees, recover from errors, read the first characters of patterns (ours state them), count lines and columns, and
 * run optional parts and lists of at least one, which this grammar does not have. The bundler then also drops code that
 * only they use.
 */
const UNUSED_FUNCTIONS: Readonly<Record<string, string>> = {
  'scan/lexer.js': 'performRuntimeChecks performWarningRuntimeChecks validatePatterns checkLineBreaksIssues',
  'scan/lexer_public.js': `
    addTokenUsingPush computeNewColumn createFullToken createStartOnlyToken handleModes handlePayloadWithCustom
    updateTokenEndLineColumnLocation pop_mode`,
  'scan/reg_exp.js': 'canMatchCharCode getOptimizedStartCodesIndices',
  'scan/lexer_errors_public.js': 'buildUnableToPopLexerModeMessage',
  'scan/reg_exp_parser.js': 'getRegExpAst',
  'scan/tokens.js': 'tokenStructuredMatcher',
  'parse/cst/cst.js': 'addNoneTerminalToCst addTerminalToCst setNodeLocationFull setNodeLocationOnlyOffset',
  'parse/errors_public.js': `
    buildAlternationAmbiguityError buildAlternationPrefixAmbiguityError buildDuplicateFoundError
    buildDuplicateRuleNameError buildEarlyExitMessage buildEmptyAlternationError buildEmptyRepetitionError
    buildInvalidRuleNameError buildLeftRecursionError buildNamespaceConflictError buildRuleNotFoundError
    buildTooManyAlternativesError`,
  'parse/grammar/checks.js': 'validateLookahead validateRuleIsOverridden',
  'parse/grammar/follow.js': 'computeAllProdsFollows',
  'parse/grammar/gast/gast_resolver_public.js': 'validateGrammar',
  'parse/grammar/interpreter.js': `
    startWalking walk walkAtLeastOne walkAtLeastOneSep walkMany walkManySep walkProdRef walkTerminal expandTopLevelRule
    updateExpectedNext nextPossibleTokensAfter`,
  'parse/grammar/llk_lookahead.js': `
    validate validateAmbiguousAlternationAlternatives validateEmptyOrAlternatives validateNoLeftRecursion
    validateSomeNonEmptyLookaheadPath`,
  'parse/grammar/lookahead.js': `
    visitOption visitRepetitionMandatory visitRepetitionMandatoryWithSeparator walkAtLeastOne walkAtLeastOneSep
    walkOption`,
  'parse/grammar/rest.js': `
    restForRepetitionWithSeparator walkAtLeastOne walkAtLeastOneSep walkMany walkManySep walkOption`,
  'parse/parser/traits/error_handler.js': 'raiseEarlyExitException',
  'parse/parser/traits/gast_recorder.js': `
    ACTION_RECORD BACKTRACK_RECORD LA_RECORD atLeastOneInternalRecord atLeastOneSepFirstInternalRecord
    optionInternalRecord`,
  'parse/parser/traits/lexer_adapter.js': 'SKIP_TOKEN',
  'parse/parser/traits/looksahead.js': 'visitOption visitRepetitionMandatory visitRepetitionMandatoryWithSeparator',
  'parse/parser/traits/recognizer_engine.js': `
    atLeastOneInternal atLeastOneInternalLogic atLeastOneSepFirstInternal atLeastOneSepFirstInternalLogic
    optionInternal optionInternalLogic reloadRecogState repetitionSepSecondInternal saveRecogState`,
  'parse/parser/traits/recognizer_api.js': `
    BACKTRACK OVERRIDE_RULE atLeastOne consume getSerializedGastProductions many option or subrule
    ${listUnusedNotation().join(' ')}`,
  'parse/parser/traits/recoverable.js': `
    addToResyncTokens attemptInRepetitionRecovery buildFullFollowKeyStack canPerformInRuleRecovery canRecoverWithSingleTokenDeletion
    canRecoverWithSingleTokenInsertion findReSyncTokenType flattenFollowSet getCurrFollowKey getCurrentGrammarPath
    getFollowSetFromFollowKey getFollowsForInRuleRecovery getNextPossibleTokenTypes getTokenToInsert
    isInCurrentRuleReSyncSet reSyncTo shouldInRepetitionRecoveryBeTried tryInRepetitionRecovery tryInRuleRecovery`,
  'parse/parser/traits/tree_builder.js': `
    cstInvocationStateUpdate cstPostNonTerminal cstPostRuleFull cstPostRuleOnlyOffset cstPostTerminal getBaseCstVisitorConstructor getBaseCstVisitorConstructorWithDefaults
    getLastExplicitRuleOccurrenceIndex getPreviousExplicitRuleShortName setInitialNodeLocationFullRecovery setInitialNodeLocationFullRegular setInitialNodeLocationOnlyOffsetRecovery
    setInitialNodeLocationOnlyOffsetRegular`,
};

/**
 * What this lexer and parser set, or leave unset, by file. The bundler drops the code that would run otherwise: recovery
 * from errors, lines and columns, modes and patterns of a program's own, conditions in grammars, and traces.
 */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  'scan/lexer.js': {
    'Array.isArray(currTokType.START_CHARS_HINT)': true,
    'options.safeMode': false,
    'typeof currTokType.PATTERN === "string"': false,
  },
  'scan/lexer_public.js': {
    hasOnlySingleMode: true,
    'longerAlt !== undefined': false,
    'config.ensureOptimizations': true,
    'config.safeMode': false,
    'this.config.safeMode': false,
    'this.config.recoveryEnabled': true,
    'this.config.skipValidations': true,
    'this.hasCustom': false,
    'this.lexerDefinitionErrors.length > 0': false,
    'this.traceInitPerf': false,
    'this.trackEndLines': false,
    'this.trackStartLines': false,
  },
  'parse/grammar/lookahead.js': { areAllOneTokenLookahead: true, hasPredicates: false, dynamicTokensEnabled: false },
  'parse/parser/parser.js': { 'this.recoveryEnabled': false, 'this.skipValidations': true },
  'parse/parser/traits/gast_recorder.js': { 'this.outputCst': false },
  'parse/parser/traits/perf_tracer.js': { 'this.traceInitPerf': false },
  'parse/parser/traits/recoverable.js': { 'this.recoveryEnabled': false },
  'parse/parser/traits/recognizer_engine.js': {
    reSyncEnabled: false,
    'Array.isArray(tokenVocabulary)': true,
    'this.outputCst': false,
    'this.recoveryEnabled': false,
  },
  'parse/parser/traits/tree_builder.js': { 'this.outputCst': false, 'this.recoveryEnabled': false },
};

/** Returns the methods of the notation of grammars that no rule calls. Each exists with the numbers 1 to 9 and without. */
function listUnusedNotation(): string[] {
  const methods = ['CONSUME', 'SUBRULE', 'OPTION', 'OR', 'MANY', 'MANY_SEP', 'AT_LEAST_ONE', 'AT_LEAST_ONE_SEP'];
  const called = [
    'CONSUME',
    'CONSUME1',
    'SUBRULE',
    'SUBRULE1',
    'SUBRULE2',
    'SUBRULE3',
    'OR',
    'OR1',
    'MANY',
    'MANY_SEP',
  ];
  return methods
    .flatMap((name) => [name, ...Array.from('123456789', (digit) => name + digit)])
    .filter((name) => {
      return !called.includes(name);
    });
}

/** A value that only `getRegExpAst` uses: the mark lets the bundler drop it, and the package behind it. */
const UNUSED_PARSER = 'new RegExpParser()';
const UNUSED_PACKAGE = /^@chevrotain\/regexp-to-ast$/;

const SOURCES = /[\\/]node_modules[\\/]chevrotain[\\/]lib[\\/]src[\\/](.+\.js)$/;

/** Returns the key of a file of Chevrotain in the table; undefined for any other file. */
function nameOf(path: string): string | undefined {
  return SOURCES.exec(path)?.[1]?.replaceAll('\\', '/');
}

/** Returns whether an expression reads the value that it names. */
function isRead(node: ts.Node): boolean {
  const { parent } = node;
  const isAssigned = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  const isDeclared = ts.isParameter(parent) || ts.isVariableDeclaration(parent);
  if (isAssigned) return parent.right === node;
  return isDeclared
    ? parent.initializer === node
    : !ts.isPropertyAccessExpression(parent) && !ts.isPropertyAssignment(parent);
}

/**
 * Returns the source of a file of Chevrotain without unused methods, with unused functions that only throw, and with its
 * settings written out; undefined if it has none of them.
 *
 * @throws {Error} if Chevrotain has moved or renamed one of the functions or settings.
 */
function trim(path: string, source: string): string | undefined {
  const file = nameOf(path) ?? '';
  const names = UNUSED_FUNCTIONS[file]?.trim().split(/\s+/) ?? [];
  const settings = SETTINGS[file] ?? {};
  const missing = new Set([...names, ...Object.keys(settings)]);
  if (missing.size === 0) return undefined;
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    const body = isNamed || ts.isArrowFunction(node) ? node.body : undefined;
    if (body !== undefined && ts.isBlock(body)) {
      const { name: declared } = (isNamed ? node : node.parent) as ts.NamedDeclaration;
      const name = declared?.getText() ?? '';
      missing.delete(name);
      // A method without statements is called, and may share its name with a function that is not.
      if (names.includes(name) && body.statements.length > 0) {
        changes.push(
          ts.isClassLike(node.parent)
            ? { start: node.pos, end: node.end, text: '' }
            : { start: body.pos, end: body.end, text: '{throw Error("left out")}' },
        );
        return;
      }
    }
    const expression = ts.isExpression(node) ? node.getText() : '';
    if (Object.hasOwn(settings, expression) && isRead(node)) {
      missing.delete(expression);
      changes.push({ start: node.getStart(), end: node.end, text: String(settings[expression]) });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  if (missing.size > 0) throw movedError(`${file} has no ${[...missing].join(', ')}`);
  return changes
    .reduceRight((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), source)
    .replace(UNUSED_PARSER, '/* @__PURE__ */ $&');
}

/** @throws {Error} if a bundle contains Chevrotain, but not all the files of the table. */
function checkBundled(files: ReadonlySet<string>): void {
  const missing = Object.keys({ ...UNUSED_FUNCTIONS, ...SETTINGS }).filter((file) => !files.has(file));
  if (files.size > 0 && missing.length > 0) throw movedError(`there is no ${missing.join(', ')}`);
}

function movedError(change: string): Error {
  return new Error(`In this version of Chevrotain ${change}. Update scripts/trim-chevrotain.ts.`);
}

/** Trims the Chevrotain of an esbuild bundle. */
export const trimForEsbuild: EsbuildPlugin = {
  name: 'trim-chevrotain',
  setup(build) {
    const bundled = new Set<string>();
    build.onLoad({ filter: SOURCES }, ({ path }) => {
      bundled.add(nameOf(path) as string);
      const contents = trim(path, readFileSync(path, 'utf8'));
      return contents === undefined ? undefined : { contents };
    });
    build.onResolve({ filter: UNUSED_PACKAGE }, async ({ path, pluginData, ...options }) => {
      if (pluginData === UNUSED_PACKAGE) return undefined;
      return { ...(await build.resolve(path, { ...options, pluginData: UNUSED_PACKAGE })), sideEffects: false };
    });
    build.onEnd(() => checkBundled(bundled));
  },
};

/** Trims the Chevrotain of a Vite bundle. */
export function trimForVite(): VitePlugin {
  const bundled = new Set<string>();
  return {
    name: 'trim-chevrotain',
    transform(code, id) {
      const name = nameOf(id);
      if (name !== undefined) bundled.add(name);
      return trim(id, code);
    },
    buildEnd: () => checkBundled(bundled),
  };
}
