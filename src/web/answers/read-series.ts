import type { ChartData } from '../shared/chart-data.ts';
import { addDays, getPeriodBefore } from '../shared/day.ts';
import { readPropertyName } from '../shared/segment-condition.ts';
import type { Answer, AnswerActions } from './answer.ts';
import { formatSpan, getBucketState, parseTime, readBucket, type TimeBucket } from './days.ts';
import type { PlotLine } from './plot-picture.tsx';

type Values = Readonly<Record<string, number | null>>;

/** A response: several series, or the single one of a sum or an average. */
type SeriesResponse =
  | { readonly data: { readonly series: readonly string[]; readonly values: Readonly<Record<string, Values>> } }
  | { readonly results: Values };

/** How the numbers of an answer come about. Only events and sums add up. */
export type SeriesMeasure = 'events' | 'users' | 'events per user' | 'sum' | 'average';

/** A name with its numbers over time, of the whole range, and of the period before. */
interface NamedSeries extends PlotLine {
  /** The number of the whole range. Undefined if it is not known: users and averages do not add up. */
  readonly total: number | undefined;
  readonly totalBefore: number | undefined;
}

/** Numbers over time. */
export interface SeriesAnswer {
  readonly measure: SeriesMeasure;
  readonly bucket: TimeBucket;
  /** `2025-06-01` or `2025-06-01 13:00:00`, in order. */
  readonly labels: readonly string[];
  readonly labelsBefore: readonly string[] | undefined;
  /** In the order of the response. */
  readonly series: readonly NamedSeries[];
}

/** Reads an answer of numbers over time, with those of the period before. Future buckets have no numbers. */
export function readSeries({ path, parameters, result, whole, before, wholeBefore, today }: Answer): SeriesAnswer {
  const measure = readMeasure(path, parameters);
  const isSum = measure === 'events' || measure === 'sum';
  const bucket = readBucket(parameters);
  const name = parameters.get('event') ?? '';
  const now = readResponse(result, name);
  const earlier = before && readResponse(before, name);
  const wholes = whole && readResponse(whole, name);
  const wholesBefore = wholeBefore && readResponse(wholeBefore, name);
  const isFuture = now.labels.map((label) => getBucketState(parseTime(label), bucket, today) === 'future');
  const find = (values: Values | undefined, labels: readonly string[], whole: Values | undefined) => {
    if (isSum) return addUp(values === undefined ? [] : labels.map((label) => (label in values ? values[label] : 0)));
    const [only] = Object.values(whole ?? (labels.length === 1 ? (values ?? {}) : {}));
    return only ?? undefined;
  };
  // A name may have been counted in one period only.
  const names = new Set([...now.values.keys(), ...(earlier?.values.keys() ?? [])]);
  const series = [...names].map((name): NamedSeries => {
    const [values, valuesBefore] = [now.values.get(name), earlier?.values.get(name)];
    const readAll = (labels: readonly string[], found: Values | undefined) =>
      labels.map((label) => (found === undefined ? 0 : (found[label] ?? ('results' in result ? null : 0))));
    return {
      name,
      values: readAll(now.labels, values).map((value, at) => (isFuture[at] ? null : value)),
      total: find(values, now.labels, wholes?.values.get(name)),
      before: earlier && fitTo(readAll(earlier.labels, valuesBefore), now.labels.length),
      totalBefore: earlier && find(valuesBefore, earlier.labels, wholesBefore?.values.get(name)),
    };
  });
  return { measure, bucket, labels: now.labels, labelsBefore: earlier?.labels, series };
}

/** Returns the numbers over time of an answer for files; undefined if it has none. Ranges keep their order. */
export function readAnswerChart(answer: Answer): ChartData | undefined {
  if (answer.view !== 'lines' && answer.view !== 'ranges') return undefined;
  const { labels, series } = readSeries(answer);
  const lines = (answer.view === 'lines' ? sortBySize(series) : series).flatMap(({ name, values, before }) => [
    { name, values },
    ...(before === undefined ? [] : [{ name: `${name}, before`, values: before }]),
  ]);
  return { buckets: labels, lines };
}

/** Sorts series by their size, largest first. JSON objects do not keep the order of names that look like integers. */
export function sortBySize(series: readonly NamedSeries[]): readonly NamedSeries[] {
  const size = ({ total, values }: NamedSeries) => total ?? sum(values);
  return [...series].sort((a, b) => size(b) - size(a));
}

/** The headline of numbers over time: the number of the whole range, and of the period before. */
interface SeriesHeadline {
  readonly number: number | undefined;
  readonly before: number | undefined;
  /** The name that the number is of, if it is not of all. */
  readonly name?: string | undefined;
  /** The number of buckets that it is the mean of, for averages whose events are not known. */
  readonly meanOf?: number;
}

/**
 * Finds the headline of numbers over time. It is a sum only of what adds up; for users and averages of several names, it
 * is that of the largest, because a user can be in several.
 */
export function findHeadline(
  { ungrouped, ungroupedBefore }: Answer,
  { measure, series }: SeriesAnswer,
): SeriesHeadline {
  const isSum = measure === 'events' || measure === 'sum';
  const [largest] = sortBySize(series);
  if (ungrouped !== undefined) return { number: readAll(ungrouped), before: readAll(ungroupedBefore) };
  if (isSum) {
    const isCompared = series.some(({ before }) => before !== undefined);
    return {
      number: addUp(series.map(({ total }) => total)),
      before: isCompared ? addUp(series.map(({ totalBefore }) => totalBefore)) : undefined,
    };
  }
  const name = series.length > 1 ? largest?.name : undefined;
  if (largest?.total !== undefined || measure !== 'average')
    return { number: largest?.total, before: largest?.totalBefore, name };
  const known = largest?.values.filter((value) => value !== null) ?? [];
  return { number: known.length === 0 ? undefined : mean(known), before: undefined, name, meanOf: known.length };
}

/** Returns the first bucket that is not over today; undefined if all are. */
export function findOpenBucket({ labels, bucket }: SeriesAnswer, today: string): number | undefined {
  const at = labels.findIndex((label) => getBucketState(parseTime(label), bucket, today) !== 'over');
  return at === -1 ? undefined : at;
}

/** Returns the days of a selection of buckets; the last is undefined if it is the last of all. */
export function findDays(
  labels: readonly string[],
  first: number,
  last: number,
): [from: string, to: string | undefined] {
  const [from = '', end, next] = [first, last, last + 1].map((at) => labels[at]?.slice(0, 10));
  // The next hour is often on the same day.
  return [from, next === undefined || next === end ? next : addDays(next, -1)];
}

/** Returns what asks for the days of selected buckets; undefined if nothing does. */
export function createZoom(labels: readonly string[], zoom: AnswerActions['zoom']) {
  return zoom && ((first: number, last: number) => zoom(...findDays(labels, first, last)));
}

/** Formats the dates of the period before, such as `May`, from those of a request. */
export function formatPeriodBefore(parameters: ReadonlyMap<string, string>): string {
  const before = getPeriodBefore(parameters);
  return before === undefined
    ? 'the period before'
    : formatSpan(parseTime(before.from_date), parseTime(before.to_date));
}

/** Names the number that a request sums or averages: its property, or the expression. */
export function nameNumber(parameters: ReadonlyMap<string, string>): string {
  const on = parameters.get('on') ?? '';
  return readPropertyName(on) ?? on;
}

function readMeasure(path: string, parameters: ReadonlyMap<string, string>): SeriesMeasure {
  if (path.endsWith('/sum')) return 'sum';
  if (path.endsWith('/average')) return 'average';
  return ({ unique: 'users', average: 'events per user' } as const)[parameters.get('type') ?? ''] ?? 'events';
}

function readResponse(response: object, name: string) {
  const given = response as SeriesResponse;
  if ('results' in given)
    return { labels: Object.keys(given.results).sort(), values: new Map([[name, given.results]]) };
  return { labels: [...given.data.series].sort(), values: new Map(Object.entries(given.data.values)) };
}

/** Returns the sum of a response with one series. */
function readAll(response: object | undefined): number | undefined {
  const [values] = response === undefined ? [] : readResponse(response, '').values.values();
  return values === undefined ? undefined : sum(Object.values(values));
}

/** Cuts numbers to a length, or fills them up: months have more and fewer days. */
function fitTo(values: readonly (number | null)[], length: number): (number | null)[] {
  return Array.from({ length }, (_, at) => values[at] ?? null);
}

function sum(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}

/** Adds up numbers; undefined if one is not known, or the sum exceeds the largest number. */
function addUp(numbers: readonly (number | null | undefined)[]): number | undefined {
  const total = numbers.reduce<number>((sum, number) => sum + (number ?? Number.NaN), 0);
  return Number.isFinite(total) ? total : undefined;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number / numbers.length, 0);
}
