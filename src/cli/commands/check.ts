import { type CheckResult, check as checkExpression } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { type AppliedFix, type Repaired, repair } from '../../api/repair.ts';
import { translate } from '../../api/translate.ts';
import { formatProperty } from '../../base/strings.ts';
import type { Use } from '../../lang/check/check.ts';
import type { ForeignTranslation } from '../../lang/foreign/translate.ts';
import { tryParse } from '../../lang/syntax/parse.ts';
import { showTypes } from '../../lang/types.ts';
import { toJsonDiagnostics } from '../answers/diagnostics-json.ts';
import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadSchema, readSource } from '../options.ts';
import type { OutputStream } from '../terminal/output-stream.ts';

export interface CheckCommandOptions {
  readonly use: Use;
  readonly schema?: string;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string;
  readonly json?: boolean;
  readonly fix?: boolean;
}

/** Prints the errors and warnings of an expression, or with `fix` the repaired expression. Returns the exit code. */
export async function runCheck(
  io: Io,
  expression: string,
  { use, schema, timeZone = 'UTC', json, fix }: CheckCommandOptions,
): Promise<number> {
  const written = await readSource(io, expression);
  const known = schema === undefined ? {} : { schema: await loadSchema(schema) };
  const options = { use, relations: findRelations, ...known };
  const repaired = fix ? repair(written, { ...options, translate }) : undefined;
  const source = repaired?.source ?? written;
  const result = checkExpression(source, { ...options, timeZone });
  if (repaired !== undefined) await printRepaired(io, repaired, result, json);
  else await io.out.print([json ? JSON.stringify(toJson(source, result)) : describe(io.out, source, result)]);
  return result.ok ? EXIT.ok : EXIT.expression;
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

function describe(out: OutputStream, source: string, { ok, types, properties, diagnostics }: CheckResult): string {
  const parts = diagnostics.length > 0 ? [out.rendered(source, diagnostics)] : [];
  if (ok) {
    const read = properties.map(({ scope, name }) => formatProperty(scope, name)).join(', ');
    parts.push(`${out.styled(['bold', 'green'], 'ok:')} ${showTypes(types)}${read === '' ? '' : `; reads ${read}`}`);
  }
  return parts.join('\n\n');
}
