import { compareStrings } from '../../lang/value.ts';
import { type ExportRequest, getExportSpan } from '../export-span.ts';
import { findEvents, type MemoryContext, prepareFilter } from './memory-events.ts';

/** Returns the selected events as NDJSON, ordered by time, user, name and properties. */
export function exportEvents(context: MemoryContext, request: ExportRequest): string {
  const matches = prepareFilter(request.where, context);
  return findEvents(context, request.events, getExportSpan(request, context.timeZone))
    .filter(matches)
    .map((each) => ({ ...each, json: JSON.stringify(each.properties) }))
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
