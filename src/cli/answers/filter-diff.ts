import type { Relation } from '../../api/relate.ts';
import { escapeUnprintable, formatInteger, pluralize, truncate } from '../../base/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderTitledTable } from '../terminal/table.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { DecidingClause } from '../workers/diff-counter.ts';
import type { DifferingTotal, DiffTotals } from '../workers/diff-totals.ts';
import { describeRelation } from './relation.ts';

/** The number of reasons that are printed. */
const MAX_PRINTED = 10;

/** Relations and, with files, how many records and users join and leave. */
interface FilterDiff {
  readonly relation: Relation;
  /** Filters that select no record at all. */
  readonly never: readonly ('old' | 'new')[];
  readonly totals?: DiffTotals | undefined;
}

/** Returns a comparison of two filters as JSON. */
export function toDiffJson({ relation: found, never, totals }: FilterDiff): object {
  const { relation, both, onlyLeft, onlyRight, leftFails, rightFails } = found;
  return {
    relation,
    never,
    witnesses: { both, only_old: onlyLeft, only_new: onlyRight, old_fails: leftFails, new_fails: rightFails },
    ...(totals !== undefined && { data: toDataJson(totals) }),
  };
}

function toDataJson(totals: DiffTotals): object {
  const toJson = ({ otherReasons, ...total }: DifferingTotal) => ({ ...total, other_reasons: otherReasons });
  return {
    records: totals.records,
    old: { ...totals.old, users: totals.countUsers('old') },
    new: { ...totals.new, users: totals.countUsers('new') },
    joining: toJson(totals.getDiffering('joining')),
    leaving: toJson(totals.getDiffering('leaving')),
    limited: totals.areUsersLimited ? ['users'] : [],
  };
}

/** Renders a comparison of two filters. */
export function renderDiff(out: OutputStream, { relation, never, totals }: FilterDiff): string[] {
  const witnesses = [
    ['only old', relation.onlyLeft],
    ['only new', relation.onlyRight],
    ['only old fails', relation.leftFails],
    ['only new fails', relation.rightFails],
  ] as const;
  return [
    ...wrapWords(describeRelation(relation), out.room),
    ...never.map((filter) => `The ${filter} filter selects no record at all.`),
    ...witnesses.flatMap(([label, witness]) =>
      witness === undefined ? [] : [cut(out, `${out.styled('bold', `${label}:`)} ${toLine(witness)}`)],
    ),
    ...(totals === undefined ? [] : renderTotals(out, totals)),
  ];
}

function renderTotals(out: OutputStream, totals: DiffTotals): string[] {
  const [joining, leaving] = [totals.getDiffering('joining'), totals.getDiffering('leaving')];
  const users = (['old', 'new'] as const).map((filter) => totals.countUsers(filter));
  const rows: [string, number, number | undefined][] = [
    ['old', totals.old.records, users[0]],
    ['new', totals.new.records, users[1]],
    ['joining', joining.records, joining.users],
    ['leaving', leaving.records, leaving.users],
    ...(['old', 'new'] as const).flatMap((filter): [string, number, undefined][] =>
      totals[filter].failures > 0 ? [[`${filter} fails`, totals[filter].failures, undefined]] : [],
    ),
  ];
  const hasUsers = users.some((count) => count !== 0);
  const columns = numberColumns(`of ${formatInteger(totals.records)}`, 'records', ...(hasUsers ? ['users'] : []));
  const cells = rows.map(([name, ...counts]) => [
    name,
    ...counts.map((count) => (count === undefined ? '' : formatInteger(count))),
  ]);
  return [
    '',
    ...renderTitledTable(out, columns, cells),
    ...(totals.areUsersLimited ? ['… and more: only the first 1,000,000 users are counted'] : []),
    ...renderDiffering(out, joining, 'join'),
    ...renderDiffering(out, leaving, 'leave'),
  ];
}

function renderDiffering(
  out: OutputStream,
  { records, reasons, examples, otherReasons }: DifferingTotal,
  verb: string,
) {
  if (records === 0) return [];
  const width = formatInteger(reasons[0]?.records ?? 0).length;
  const hidden = reasons.slice(MAX_PRINTED);
  const more = hidden.reduce((sum, reason) => sum + reason.records, otherReasons);
  return [
    '',
    out.styled('bold', `Why ${pluralize(records, 'record')} ${records === 1 ? `${verb}s` : verb}:`),
    ...reasons.slice(0, MAX_PRINTED).map((reason) => {
      const clauses = reason.clauses.map(describeClause).join(', ');
      return cut(out, `  ${formatInteger(reason.records).padStart(width)}  ${clauses}`);
    }),
    ...(more > 0 ? [`  … and ${pluralize(more, 'record')} for other reasons (--json)`] : []),
    ...examples.map(({ file, line, ...example }) => cut(out, `  ${file}:${line}: ${toLine(example)}`)),
  ];
}

function describeClause({ filter, code, is }: DecidingClause): string {
  return escapeUnprintable(`${filter} ${code} is ${is}`);
}

function toLine(record: object): string {
  return escapeUnprintable(JSON.stringify(record));
}

function cut(out: OutputStream, line: string): string {
  return out.isTTY ? truncate(line, out.room) : line;
}
