import { formatInteger, pluralize, truncate } from '../../base/strings.ts';
import { showValue } from '../../lang/value.ts';
import { formatPercent } from '../answers/figures.ts';
import type { Io } from '../io.ts';
import { scan } from '../scan.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderTitledTable } from '../terminal/table.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { explainLimit, MAX_VALUE_LENGTH } from '../workers/census-limits.ts';
import type { CountedValues, DescribedProperty } from '../workers/described-property.ts';
import type { Selection } from '../workers/job.ts';
import { RecordCensus } from '../workers/record-census.ts';
import { describeInner, listTypes } from '../workers/seen-property.ts';

export interface DescribeOptions extends Selection {
  readonly json?: boolean;
}

/** The number of top values to print, and in JSON. */
const TOP = 3;
const TOP_JSON = 10;
const MAX_SHOWN_LENGTH = 24;

/** Prints what is in files: events with their times, users, and properties with types and top values. */
export async function runDescribe(io: Io, files: readonly string[], options: DescribeOptions): Promise<void> {
  const census = new RecordCensus(true);
  await scan(io, files, { ...options, kind: 'describe', countsValues: true }, { part: (part) => census.merge(part) });
  await io.out.print(options.json ? [JSON.stringify(toJson(census))] : renderCensus(io.out, census));
}

/** A value with its number of records. */
type Counted = readonly [json: string, count: number];

function rankValues({ counts }: CountedValues): readonly Counted[] | undefined {
  return counts && [...counts].sort(([, left], [, right]) => right - left);
}

function rank<Item extends { count: number }>(items: ReadonlyMap<string, Item>): [string, Item][] {
  return [...items].sort(([, left], [, right]) => right.count - left.count);
}

/** Returns the JSON of a census. */
export function toJson(census: RecordCensus): object {
  const { period, events, users, limited, properties } = census;
  return {
    records: period.count,
    users: users.size,
    first: toIsoTime(period.first),
    last: toIsoTime(period.last),
    events: rank(events).map(([event, { count, first, last }]) => {
      return { event, count, first: toIsoTime(first), last: toIsoTime(last) };
    }),
    properties: rank(properties).map(([name, property]) => {
      const { types, count, examples, hasLong } = property;
      const ranked = rankValues(property);
      return {
        name,
        count,
        types: Object.fromEntries(types),
        examples: [...examples],
        different: ranked?.length ?? null,
        long: hasLong,
        top: (ranked ?? []).slice(0, TOP_JSON).map(([json, found]) => ({ value: JSON.parse(json), count: found })),
      };
    }),
    limited: [...limited].sort(),
  };
}

function toIsoTime(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace(/\.\d+/, '');
}

/** Returns the lines that describe a census. */
export function renderCensus(out: OutputStream, census: RecordCensus): string[] {
  const { period, events, users, limited, limits, properties } = census;
  if (period.count === 0) return ['No records.'];
  const summary = [
    pluralize(period.count, 'record'),
    ...(limited.has('users') ? [`more than ${formatInteger(limits.users)} users`] : []),
    ...(users.size > 0 && !limited.has('users') ? [pluralize(users.size, 'user')] : []),
    ...(period.first === undefined ? [] : [`${showTime(period.first)} to ${showTime(period.last)} UTC`]),
  ];
  return [
    ...wrapWords(summary.join(', '), out.room),
    ...(events.size === 0 ? [] : ['', ...renderEvents(out, census)]),
    ...(limited.has('events') ? wrapWords(explainLimit('events', events, limits), out.room) : []),
    ...(properties.size === 0 ? [] : ['', ...renderProperties(out, census)]),
    ...(limited.has('properties') ? wrapWords(explainLimit('properties', properties, limits), out.room) : []),
  ];
}

function renderEvents(out: OutputStream, { events, period }: RecordCensus): string[] {
  const rows = rank(events).map(([event, { count, first, last }]) => {
    return [event, formatInteger(count), formatPercent(count / period.count), showTime(first), showTime(last)];
  });
  const columns = [
    { title: 'event', align: 'left' },
    { title: 'records', align: 'right' },
    { title: '', align: 'right' },
    { title: period.first === undefined ? '' : 'first', align: 'left' },
    { title: period.first === undefined ? '' : 'last', align: 'left' },
  ] as const;
  return renderTitledTable(out, columns, rows);
}

function renderProperties(out: OutputStream, { properties, maxValues, period }: RecordCensus): string[] {
  const rows = rank(properties).map(([name, property]) => {
    const { count } = property;
    const share = formatPercent(count / period.count);
    return [
      name,
      listTypes(property),
      formatInteger(count),
      share,
      describeInner(property, describeValues(property, maxValues)),
    ];
  });
  const columns = [
    { title: 'property', align: 'left' },
    { title: 'types', align: 'left' },
    { title: 'records', align: 'right' },
    { title: '', align: 'right' },
    { title: 'top values', align: 'left' },
  ] as const;
  return renderTitledTable(out, columns, rows);
}

/** Lists the top values with their counts or, if no value repeats or there are too many, examples. */
function describeValues(property: DescribedProperty, maxValues: number): string {
  const shown = [...property.examples].join(', ');
  if (shown === '') return '';
  const ranked = rankValues(property);
  if (ranked === undefined) return `more than ${formatInteger(maxValues)} different: ${shown}`;
  if (property.hasLong) return `some longer than ${MAX_VALUE_LENGTH} characters: ${shown}`;
  if (ranked.length > TOP && ranked[0]?.[1] === 1) return `${formatInteger(ranked.length)} different: ${shown}`;
  const top = ranked.slice(0, TOP).map(([json, count]) => {
    return `${truncate(showValue(JSON.parse(json)), MAX_SHOWN_LENGTH)} (${formatInteger(count)})`;
  });
  const more = ranked.length - top.length;
  return top.join(', ') + (more > 0 ? `, ${formatInteger(more)} more` : '');
}

/** Formats a time as `2025-06-01 12:00:00`. */
function showTime(seconds: number | undefined): string {
  return (toIsoTime(seconds) ?? '').replace('T', ' ').replace('Z', '');
}
