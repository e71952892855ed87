import { readFileSync } from 'node:fs';
import type { Options } from 'tsup';
import ts from 'typescript';
import type { Plugin as VitePlugin } from 'vite';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * The functions of Chevrotain that a finished grammar never calls, by file: they check grammars, build concrete syntax
 * trees and recover from errors. What only they use goes with them.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'scan/lexer.js': 'performRuntimeChecks performWarningRuntimeChecks validatePatterns checkLineBreaksIssues',
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
  'parse/parser/traits/recognizer_api.js': 'BACKTRACK OVERRIDE_RULE getSerializedGastProductions',
  'parse/parser/traits/recoverable.js': `
    addToResyncTokens buildFullFollowKeyStack canPerformInRuleRecovery canRecoverWithSingleTokenDeletion
    canRecoverWithSingleTokenInsertion findReSyncTokenType flattenFollowSet getCurrFollowKey getCurrentGrammarPath
    getFollowSetFromFollowKey getFollowsForInRuleRecovery getNextPossibleTokenTypes getTokenToInsert
    isInCurrentRuleReSyncSet reSyncTo shouldInRepetitionRecoveryBeTried tryInRepetitionRecovery tryInRuleRecovery`,
  'parse/parser/traits/tree_builder.js': `
    cstPostRuleFull cstPostRuleOnlyOffset getBaseCstVisitorConstructor getBaseCstVisitorConstructorWithDefaults
    setInitialNodeLocationFullRecovery setInitialNodeLocationFullRegular setInitialNodeLocationOnlyOffsetRecovery
    setInitialNodeLocationOnlyOffsetRegular`,
};

const SOURCES = /[\\/]node_modules[\\/]chevrotain[\\/]lib[\\/]src[\\/](.+\.js)$/;

/** The name that a file of Chevrotain has in the table; undefined for any other file. */
function nameOf(path: string): string | undefined {
  return SOURCES.exec(path)?.[1]?.replaceAll('\\', '/');
}

/**
 * The source of a file of Chevrotain, where the functions that are left out throw; undefined if none of them is in it.
 *
 * @throws {Error} for a function that is not there: Chevrotain has moved or renamed it.
 */
function trim(path: string, source: string): string | undefined {
  const names = LEFT_OUT[nameOf(path) ?? '']?.trim().split(/\s+/);
  if (names === undefined) return undefined;
  const missing = new Set(names);
  const bodies: ts.Block[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body !== undefined) {
      const name = node.name?.getText() ?? '';
      missing.delete(name);
      if (names.includes(name)) bodies.push(node.body);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  if (missing.size > 0) throw moved(`${nameOf(path)} has no ${[...missing].join(', ')}`);
  const leaveOut = (text: string, { pos, end }: ts.Block) =>
    `${text.slice(0, pos)}{throw Error("left out")}${text.slice(end)}`;
  return bodies.reduceRight(leaveOut, source);
}

/** @throws {Error} if a bundle has taken in Chevrotain, but not all the files that are trimmed. */
function checkTaken(files: ReadonlySet<string>): void {
  const missing = Object.keys(LEFT_OUT).filter((file) => !files.has(file));
  if (files.size > 0 && missing.length > 0) throw moved(`there is no ${missing.join(', ')}`);
}

function moved(what: string): Error {
  return new Error(`In this version of Chevrotain ${what}: bring scripts/trim-chevrotain.ts up to date`);
}

/** Trims the Chevrotain of an esbuild bundle. */
export const trimForEsbuild: EsbuildPlugin = {
  name: 'trim-chevrotain',
  setup(build) {
    const taken = new Set<string>();
    build.onLoad({ filter: SOURCES }, ({ path }) => {
      taken.add(nameOf(path) as string);
      const contents = trim(path, readFileSync(path, 'utf8'));
      return contents === undefined ? undefined : { contents };
    });
    build.onEnd(() => checkTaken(taken));
  },
};

/** Trims the Chevrotain of a Vite bundle. */
export function trimForVite(): VitePlugin {
  const taken = new Set<string>();
  return {
    name: 'trim-chevrotain',
    transform(code, id) {
      const name = nameOf(id);
      if (name !== undefined) taken.add(name);
      return trim(id, code);
    },
    buildEnd: () => checkTaken(taken),
  };
}
