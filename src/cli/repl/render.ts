import { escapeUnprintable, formatProperty, measureWidth, truncate } from '../../base/strings.ts';
import type { EventRecord } from '../../data/event-record.ts';
import type { PropertySchema, Schema } from '../../lang/check/schema.ts';
import type { Explained } from '../../lang/explain/explain-tree.ts';
import { readValue, showValue } from '../../lang/value.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderTitledTable } from '../terminal/table.ts';

const MAX_NAME_LENGTH = 24;

/** Renders an event, one line per property. Objects, which expressions cannot read, are shown as JSON. */
export function renderEvent({ event, properties }: EventRecord, columns: number): string[] {
  const named = event === undefined ? [] : [['event', escapeUnprintable(event)] as const];
  const own = Object.entries(properties).map(([name, raw]) => [name, show(raw)] as const);
  const entries = [...named, ...own].map(
    ([name, value]) => [truncate(escapeUnprintable(name), MAX_NAME_LENGTH), value] as const,
  );
  const width = Math.min(
    entries.reduce((widest, [name]) => Math.max(widest, measureWidth(name)), 0),
    Math.ceil(columns / 2),
  );
  return entries.map(([name, value]) => {
    const shown = truncate(name, width);
    return truncate(`${shown}${' '.repeat(width - measureWidth(shown))}  ${value}`, columns);
  });
}

function show(raw: unknown): string {
  const value = readValue(raw);
  return value === undefined
    ? escapeUnprintable(JSON.stringify(raw) ?? 'undefined')
    : escapeUnprintable(showValue(value));
}

const GAP = 2;
const MAX_ROWS = 8;

/** Renders choices in as many columns as fit and at most 8 rows. */
export function renderChoices(labels: readonly string[], columns: number): string[] {
  const shown = labels.map((label) => truncate(escapeUnprintable(label), columns));
  const width = shown.reduce((widest, label) => Math.max(widest, measureWidth(label)), 0) + GAP;
  const across = Math.max(1, Math.floor((columns + GAP) / width));
  const rows: string[] = [];
  for (let index = 0; index < shown.length && rows.length < MAX_ROWS; index += across) {
    const row = shown.slice(index, index + across);
    rows.push(
      row
        .map((label) => label + ' '.repeat(width - measureWidth(label)))
        .join('')
        .trimEnd(),
    );
  }
  const rest = shown.length - rows.length * across;
  return rest > 0 ? [...rows, `… and ${rest} more`] : rows;
}

/** Renders the properties of a schema as a table: expression, types and known values. */
export function renderSchema(out: OutputStream, { properties = {}, user = {} }: Schema): string[] {
  const rows = [...toRows('properties', properties), ...toRows('user', user)];
  const columns = ['property', 'types', 'values'].map((title) => ({ title, align: 'left' }) as const);
  return rows.length === 0 ? ['No properties are known.'] : renderTitledTable(out, columns, rows);
}

function toRows(scope: string, part: Readonly<Record<string, PropertySchema>>): string[][] {
  return Object.entries(part).map(([name, { types, values = [] }]) => {
    return [formatProperty(scope, name), types.join(', '), values.map(showValue).join(', ')];
  });
}

const INDENT = '  ';

/** Renders a syntax tree, one line per node. Operands are indented below their operator. */
export function* renderTree({ operator, code, children }: Explained, margin = ''): Generator<string> {
  yield margin + (operator ?? code);
  for (const child of children) yield* renderTree(child, margin + INDENT);
}
