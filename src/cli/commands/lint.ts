import { escapeUnprintable, formatInteger, pluralize, truncate } from '../../base/strings.ts';
import { toJsonDiagnostics } from '../answers/diagnostics-json.ts';
import { EXIT } from '../exit.ts';
import { readSavedFilters, type SavedFilter } from '../input/read-saved-filters.ts';
import type { Io } from '../io.ts';
import { type Finding, LINT_LIMITS, type LintResult, lintFilters } from '../lint/lint-filters.ts';
import { printMessage } from '../messages.ts';
import { loadSchema } from '../options.ts';
import type { OutputStream } from '../terminal/output-stream.ts';

export interface LintCommandOptions {
  readonly schema?: string;
  readonly timeZone?: string;
  readonly json?: boolean;
}

/** The findings that are mistakes. The others can be meant. */
const MISTAKES: readonly Finding['kind'][] = ['invalid', 'never-true', 'always-true', 'duplicate'];

/** The filters of a finding that are printed. */
const MAX_PRINTED = 5;
const MAX_SOURCE = 200;

/**
 * Prints what is wrong with saved filters, and which are related.
 *
 * @returns The exit code: whether there are mistakes.
 */
export async function runLint(
  io: Io,
  files: readonly string[],
  { schema, timeZone = 'UTC', json }: LintCommandOptions,
): Promise<number> {
  const known = schema === undefined ? undefined : await loadSchema(schema);
  const filters = await readSavedFilters(io, files, (note) => printMessage(io, 'note', note));
  const result = lintFilters(filters, { timeZone, ...(known !== undefined && { schema: known }) });
  await io.out.print(json ? [JSON.stringify(toJson(result))] : render(io.out, result));
  return result.findings.some(({ kind }) => MISTAKES.includes(kind)) ? EXIT.expression : EXIT.ok;
}

function toJson({ filters, findings, undecidedFilters, undecidedPairs, arePairsLimited }: LintResult): object {
  return {
    filters,
    findings: findings.map((finding) =>
      finding.kind === 'invalid'
        ? { ...finding, diagnostics: toJsonDiagnostics(finding.filters[0].where, finding.diagnostics) }
        : finding,
    ),
    undecided: { filters: undecidedFilters, pairs: undecidedPairs },
    limited: arePairsLimited ? ['pairs'] : [],
  };
}

function render(out: OutputStream, result: LintResult): string[] {
  const { filters, findings, undecidedFilters, undecidedPairs, arePairsLimited } = result;
  return [
    ...findings.flatMap((finding) => [...renderFinding(out, finding), '']),
    describeTotals(filters, findings),
    ...(undecidedFilters > 0
      ? [`It is unknown whether ${pluralize(undecidedFilters, 'filter')} can be true; not compared with others.`]
      : []),
    ...(undecidedPairs > 0 ? [`It is unknown how ${pluralize(undecidedPairs, 'pair')} of filters relate.`] : []),
    ...(arePairsLimited
      ? [
          `Only ${formatInteger(LINT_LIMITS.pairs)} pairs of filters that may be related were compared: lint fewer filters.`,
        ]
      : []),
  ];
}

function renderFinding(out: OutputStream, finding: Finding): string[] {
  const [first, second] = finding.filters;
  const isMistake = MISTAKES.includes(finding.kind);
  const lines = (message: string, ...more: string[]) => [
    `${out.label(isMistake ? 'warning' : 'note')} ${escapeUnprintable(message)}`,
    ...more.map((line) => `  ${escapeUnprintable(line)}`),
  ];
  switch (finding.kind) {
    case 'invalid':
      return [
        `${out.label('error')} ${escapeUnprintable(toPlace(first))} is invalid`,
        out.rendered(first.where, finding.diagnostics),
      ];
    case 'never-true':
      return lines(`${toPlace(first)} is never true`, toSource(first));
    case 'always-true':
      return lines(`${toPlace(first)} is always true`, toSource(first));
    case 'duplicate':
      return lines(`${listPlaces(finding.filters)} select the same records`, ...listSources(finding.filters));
    case 'subsumed':
      return lines(
        `${toPlace(first as SavedFilter)} selects only records that ${toPlace(second as SavedFilter)} selects`,
        ...listSources(finding.filters),
        ...(finding.witness === undefined ? [] : [`only the second: ${JSON.stringify(finding.witness)}`]),
      );
    case 'near-duplicate':
      return lines(
        finding.properties.length === 0
          ? `${listPlaces(finding.filters)} select the same records, but raise type errors on different ones`
          : `${listPlaces(finding.filters)} differ only in one condition on ${finding.properties.join(', ')}`,
        ...listSources(finding.filters),
      );
  }
}

function toPlace({ file, line, name }: SavedFilter): string {
  return `${file}:${line}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
}

function listPlaces(filters: readonly SavedFilter[]): string {
  const shown = filters.slice(0, MAX_PRINTED).map(toPlace);
  const more = filters.length - shown.length;
  const last = more > 0 ? `${formatInteger(more)} more` : shown.pop();
  return `${shown.join(', ')} and ${last}`;
}

function listSources(filters: readonly SavedFilter[]): string[] {
  return filters.slice(0, MAX_PRINTED).map(toSource);
}

function toSource({ where }: SavedFilter): string {
  return truncate(where.replace(/\s+/g, ' '), MAX_SOURCE);
}

const WORDS: Readonly<Record<Finding['kind'], string>> = {
  invalid: 'invalid',
  'never-true': 'never true',
  'always-true': 'always true',
  duplicate: 'the same as others',
  subsumed: 'within another',
  'near-duplicate': 'nearly the same',
};

/** Counts the findings of each kind. */
function describeTotals(filters: number, findings: readonly Finding[]): string {
  const counts = Object.entries(WORDS).flatMap(([kind, words]) => {
    const count = findings.filter((finding) => finding.kind === kind).length;
    return count === 0 ? [] : [`${formatInteger(count)} ${words}`];
  });
  return `${pluralize(filters, 'filter')}: ${counts.length === 0 ? 'nothing found' : counts.join(', ')}`;
}
