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
    updateTokenEndLineColumnLocation`,
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

/**
 * Returns the source of a file of Chevrotain without unused methods, and with unused functions that only throw; undefined
 * if it has none of them.
 *
 * @throws {Error} if Chevrotain has moved or renamed one of the functions.
 */
function trim(path: string, source: string): string | undefined {
  const names = UNUSED_FUNCTIONS[nameOf(path) ?? '']?.trim().split(/\s+/);
  if (names === undefined) return undefined;
  const missing = new Set(names);
  const unused: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body !== undefined) {
      const name = node.name?.getText() ?? '';
      missing.delete(name);
      // A method without statements is called, and may share its name with a function that is not.
      if (names.includes(name) && node.body.statements.length > 0) {
        unused.push(
          ts.isClassLike(node.parent)
            ? { start: node.pos, end: node.end, text: '' }
            : { start: node.body.pos, end: node.body.end, text: '{throw Error("left out")}' },
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  if (missing.size > 0) throw movedError(`${nameOf(path)} has no ${[...missing].join(', ')}`);
  return unused
    .reduceRight((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), source)
    .replace(UNUSED_PARSER, '/* @__PURE__ */ $&');
}

/** @throws {Error} if a bundle contains Chevrotain, but not all the files of the table. */
function checkBundled(files: ReadonlySet<string>): void {
  const missing = Object.keys(UNUSED_FUNCTIONS).filter((file) => !files.has(file));
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
