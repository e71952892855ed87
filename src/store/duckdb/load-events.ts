import { addEvents } from './add-events.ts';
import type { DuckDbConnection } from './database.ts';
import type { EventFile } from './event-file.ts';

/** Adds the events of a file to the table of a version. */
export async function loadEvents(connection: DuckDbConnection, schema: string, file: EventFile): Promise<void> {
  await addEvents(connection, schema, {
    from: file.events,
    own: { '"time"': 'time', distinct_id: 'distinct_id', insert_id: '$insert_id' },
    documents: { from: file.lines, json: 'json', pointer: '/properties' },
    names: file.names,
    count: file.count,
    isSorted: file.isSorted,
    ...(file.ids !== undefined && { ids: file.ids }),
  });
}
