import { type CheckResult, check as checkExpression } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { type AppliedFix, type Repaired, repair } from '../../api/repair.ts';
import { translate } from '../../api/translate.ts';
import { formatProperty } from '../../base/strings.ts';
import type { Use } from '../../lang/check/check.ts';
import { toPropertySchema } from '../../lang/check/property-stats.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { ForeignTranslation } from '../../lang/foreign/translate.ts';
import { tryParse } from '../../lang/syntax/parse.ts';
import { showTypes } from '../../lang/types.ts';
import { toJsonDiagnostics } from '../answers/diagnostics-json.ts';
import { countProperties } from '../count-properties.ts';
import { EXIT, UsageError } from '../exit.ts';
import { getUnixTime, type Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { ensureOneInput, loadSchema, readSource } from '../options.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import type { Selection } from '../workers/job.ts';

export interface CheckCommandOptions extends Omit<Selection, 'where' | 'now' | 'explain'> {
  readonly use: Use;
  /** The file of a schema. */
  readonly schema?: string;
  readonly json?: boolean;
  readonly fix?: boolean;
}

/**
 * Prints the errors and warnings of an expression, or with `fix` the repaired expression. Compares its names and values
 * with those of a schema or of event files.
 *
 * @returns The exit code.
 * @throws {UsageError} if there are both, and if standard input is the expression and a file.
 */
export async function runCheck(
  io: Io,
  expression: string,
  files: readonly string[],
  { use, schema: file, json, fix, ...selection }: CheckCommandOptions,
): Promise<number> {
  if (file !== undefined && files.length > 0)
    throw new UsageError('Name event files or a schema with --schema, not both');
  ensureOneInput([expression, ...files], 'the expression and files');
  const written = await readSource(io, expression);
  const schema = file === undefined ? await inferSchema(io, files, selection) : await loadSchema(file);
  const { timeZone = 'UTC' } = selection;
  const options = { use, relations: findRelations, ...(schema !== undefined && { schema }) };
  const repaired = fix ? repair(written, { ...options, translate }) : undefined;
  const source = repaired?.source ?? written;
  const result = checkExpression(source, { ...options, timeZone });
  if (repaired !== undefined) await printRepaired(io, repaired, result, json);
  else if (json) await io.out.print([JSON.stringify(toJson(source, result))]);
  else {
    const meaning = result.ok ? [] : describeMeaning(repair(written, { ...options, translate }));
    await io.out.print([[...describe(io.out, source, result), ...meaning].join('\n\n')]);
  }
  return result.ok ? EXIT.ok : EXIT.expression;
}

/** Returns the schema of the properties of files, and undefined without files or if it would lack some of them. */
async function inferSchema(
  io: Io,
  files: readonly string[],
  selection: Omit<Selection, 'now'>,
): Promise<Schema | undefined> {
  if (files.length === 0) return undefined;
  const { properties, period, limited } = await countProperties(io, files, { ...selection, now: getUnixTime(io) });
  if (period.count === 0)
    printMessage(io, 'warning', 'there are no records, so no name and no value is compared with them');
  if (period.count === 0 || limited.has('properties')) return undefined;
  const schemas = Array.from(properties, ([name, seen]) => [name, toPropertySchema(seen)] as const);
  return { properties: Object.fromEntries(schemas) };
}

function toJson(source: string, result: CheckResult): object {
  return { ...result, diagnostics: toJsonDiagnostics(source, result.diagnostics) };
}

/** Prints the expression alone on standard output, so that a script can use it, and the rest on standard error. */
async function printRepaired(io: Io, repaired: Repaired, result: CheckResult, json = false): Promise<void> {
  const { source, fixes, translation, diagnostics } = repaired;
  if (json) {
    const answer = { source, fixes, translation, ...result, diagnostics: toJsonDiagnostics(source, diagnostics) };
    return io.out.print([JSON.stringify(answer)]);
  }
  await io.out.print([source]);
  const parts = [...describeTranslation(source, translation), ...fixes.map(describeFix)];
  if (diagnostics.length > 0) parts.push(io.err.rendered(source, diagnostics));
  if (parts.length > 0) await io.err.print(parts);
}

/** Says what a source means in another language, if it is one and the fixes do not certainly say the same. */
function describeMeaning({ translation }: Repaired): readonly string[] {
  if (translation === undefined) return [];
  const { language } = translation;
  if ('reason' in translation) return [`Read as ${language}: ${translation.reason}`];
  const notes = translation.notes.map((note) => `note: ${note}`);
  return [[`Read as ${language}, it means:`, translation.expression, ...notes].join('\n')];
}

/** Says which language was recognised, and what the translation assumes if it is not certain. */
function describeTranslation(source: string, translation: ForeignTranslation | undefined): readonly string[] {
  if (translation === undefined) return [];
  const { language } = translation;
  if ('reason' in translation) return [`read as ${language}, which has no exact translation here`];
  const { expression, notes } = translation;
  if (notes.length === 0) return [`translated from ${language}`];
  const isApplied = tryParse(source).tree !== undefined;
  return isApplied ? notes.map((note) => `note: ${note}`) : [`read as ${language}, it could mean: ${expression}`];
}

function describeFix({ code, written, text }: AppliedFix): string {
  if (text.trim() === '') return `removed ${quote(written)} [${code}]`;
  return written === '' ? `added ${quote(text)} [${code}]` : `changed ${quote(written)} to ${quote(text)} [${code}]`;
}

const quote = (text: string) => `\`${text.trim()}\``;

function describe(
  out: OutputStream,
  source: string,
  { ok, types, properties, diagnostics }: CheckResult,
): readonly string[] {
  const parts = diagnostics.length > 0 ? [out.rendered(source, diagnostics)] : [];
  if (ok) {
    const read = properties.map(({ scope, name }) => formatProperty(scope, name)).join(', ');
    parts.push(`${out.styled(['bold', 'green'], 'ok:')} ${showTypes(types)}${read === '' ? '' : `; reads ${read}`}`);
  }
  return parts;
}
