import { compareStrings } from '../../../../src/lang/value.ts';
import type { ExportRequest } from '../../../../src/queries/export-span.ts';
import type { Reference } from '../reference.ts';
import { selectEvents } from './occurrence.ts';

/** Returns the lines of an export. */
export function exportLines(
  { data, moment, calendar }: Reference,
  { from = '0000', to = '9999', fromTime = 0, events, where }: ExportRequest,
): string[] {
  const wanted = data.filter(({ event, time }) => {
    const day = calendar.dayOf(time);
    return events?.includes(event) !== false && time >= fromTime && from <= day && day <= to;
  });
  return selectEvents(where, wanted, moment)
    .map(({ event, time, user, properties }) => ({ event, time, user, json: JSON.stringify(properties) }))
    .sort(
      (left, right) =>
        left.time - right.time ||
        compareStrings(left.user, right.user) ||
        compareStrings(left.event, right.event) ||
        compareStrings(spell(left.json), spell(right.json)),
    )
    .map(({ event, json }) => `{"event":${JSON.stringify(event)},"properties":${json}}\n`);
}

/** Returns JSON with exponents as stores spell them: `1e21` for `1e+21`. Events are ordered by this text. */
function spell(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|e\+/g, (part) => (part === 'e+' ? 'e' : part));
}
