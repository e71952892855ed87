import { existsSync } from 'node:fs';
import { check } from '../../api/expressions.ts';
import { isNever, relate } from '../../api/relate.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { renderDiff, toDiffJson } from '../answers/filter-diff.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { ensureOneInput, loadSchema, readSource } from '../options.ts';
import { scan } from '../scan.ts';
import { DiffTotals } from '../workers/diff-totals.ts';
import type { Selection } from '../workers/job.ts';

export interface DiffOptions extends Omit<Selection, 'where' | 'explain'> {
  readonly schema?: string;
  readonly json?: boolean;
}

/**
 * Prints how an old and a new filter relate and, with files, which records join and leave.
 *
 * @returns The exit code: whether the filters are equal.
 */
export async function runDiff(
  io: Io,
  old: string,
  changed: string,
  files: readonly string[],
  { schema, json, ...options }: DiffOptions,
): Promise<number> {
  ensureOneInput([old, changed, ...files], 'the filters and files');
  const known = schema === undefined ? undefined : await loadSchema(schema);
  const filters = { old: await readFilter(io, old), new: await readFilter(io, changed) };
  const related = relateFilters(filters, options.timeZone ?? 'UTC', known);
  let totals: DiffTotals | undefined;
  if (files.length > 0 || io.project !== undefined) {
    const sum = new DiffTotals();
    await scan(io, files, { ...options, ...filters, kind: 'diff' }, { part: (part, place) => sum.merge(part, place) });
    totals = sum;
  }
  const diff = { ...related, totals };
  await io.out.print(json ? [JSON.stringify(toDiffJson(diff))] : renderDiff(io.out, diff));
  return related.relation.relation === 'equal' ? EXIT.ok : EXIT.expression;
}

function relateFilters(
  filters: { readonly old: string; readonly new: string },
  timeZone: string,
  schema: Schema | undefined,
) {
  const options = { timeZone, ...(schema !== undefined && { schema }) };
  const never = (['old', 'new'] as const).filter((filter) => isNever(filters[filter], options).answer === 'yes');
  return { relation: relate(filters.old, filters.new, options), never };
}

/** Reads a filter of the command line. Refuses the name of a file. */
async function readFilter(io: Io, argument: string): Promise<string> {
  const source = await readSource(io, argument);
  if (argument !== '-' && existsSync(argument.trim()) && !check(source).ok)
    throw new UsageError(`${argument} is a file, not a filter. To pass what is in it, write: "$(cat ${argument})"`);
  return source;
}
