import { compareStrings, type Properties } from '../../lang/value.ts';
import { type ExportRequest, getExportSpan } from '../export-span.ts';
import { EventExpressions } from './event-expressions.ts';
import type { MemoryContext } from './memory-context.ts';

/**
 * Returns the selected events as NDJSON, ordered by time, user, name and properties.
 *
 * @param getProperties returns the properties of the event at a row
 */
export function exportEvents(
  context: MemoryContext,
  request: ExportRequest,
  getProperties: (row: number) => Properties,
): string {
  const { table, timeZone } = context;
  const { times, users, events, userIds, eventNames } = table;
  const select = new EventExpressions(context).compileFilter(request.where);
  return Array.from(select(table.findRows(request.events, getExportSpan(request, timeZone))), (row) => ({
    time: times[row] as number,
    user: userIds[users[row] as number] as string,
    event: eventNames[events[row] as number] as string,
    json: JSON.stringify(getProperties(row)),
  }))
    .sort(
      (left, right) =>
        left.time - right.time ||
        compareStrings(left.user, right.user) ||
        compareStrings(left.event, right.event) ||
        compareStrings(left.json, right.json),
    )
    .map(({ event, json }) => `{"event":${JSON.stringify(event)},"properties":${json}}\n`)
    .join('');
}
