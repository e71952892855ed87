import { isJsonObject } from '../../base/json.ts';
import type { UserSelection } from '../answers/answer.ts';
import { formatBucketTitle, parseTime, readBucket } from '../answers/days.ts';
import { formatPeriodBefore } from '../answers/read-series.ts';
import { parseSteps } from './funnel-steps.ts';
import { getNamedValue, getParameters, type QuestionState } from './state.ts';

/** Users behind a number over time. */
export type EventSelection = UserSelection & { readonly kind: 'segment' };

/** Returns whether a part of a link names users behind a number. */
export function isSelection(value: unknown): value is UserSelection {
  if (!isJsonObject(value)) return false;
  const { kind, step, dropped, date, column, name, segment, bucket, isBefore = false } = value;
  if ([segment, name, bucket].some((text) => text !== undefined && typeof text !== 'string')) return false;
  if (kind === 'step') return Number.isInteger(step) && typeof dropped === 'boolean';
  if (kind === 'cohort') return typeof date === 'string' && Number.isInteger(column);
  return kind === 'segment' && typeof isBefore === 'boolean' && !Number.isNaN(parseTime(String(bucket ?? 0)));
}

/** Describes the users behind a number, as a title. */
export function describeUsers(selection: UserSelection, state: QuestionState): string {
  const { kind } = selection;
  const events = getNamedValue(state, 'event').replaceAll('\n', ', ');
  const segment = kind === 'segment' ? (selection.name ?? events) : selection.segment;
  const of = segment === undefined ? '' : ` of ${segment}`;
  if (kind === 'segment') return `Users${of}${describeBucket(selection, state)}`;
  if (kind === 'cohort') return `Users${of} of ${selection.date} ${describeColumn(state, selection.column)}`;
  const { step, dropped } = selection;
  const name = parseSteps(getNamedValue(state, 'steps'))[step]?.event ?? `step ${step + 1}`;
  return `Users${of} who ${dropped ? 'left after' : 'reached'} “${name}”`;
}

/** Describes the days of a number over time; empty if they are those of the question. */
function describeBucket({ bucket, isBefore = false }: EventSelection, state: QuestionState): string {
  const parameters = new Map(getParameters(state));
  if (bucket === undefined) return isBefore ? `, ${formatPeriodBefore(parameters)}` : '';
  return `, ${formatBucketTitle(bucket, readBucket(parameters), '')}`;
}

/** Describes a column of cohorts: the interval in which users come back, or in how many units they are active. */
function describeColumn(state: QuestionState, column: number): string {
  const unit = getNamedValue(state, 'addiction_unit');
  if (unit !== '') return column < 1 ? 'who are active' : `active in ${column + 1} or more ${unit}s`;
  const days = Number(getNamedValue(state, 'interval'));
  const interval = days > 0 ? `day ${column * days}` : `${getNamedValue(state, 'unit') || 'day'} ${column}`;
  return column === -1 ? 'who began then' : `who came back in ${interval}`;
}
