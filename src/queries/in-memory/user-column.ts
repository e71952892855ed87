import { ColumnBuilder } from '../../lang/engines/columnar/column-builder.ts';
import { selectRows } from '../../lang/engines/columnar/column-view.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { type Properties, readProperty } from '../../lang/value.ts';
import type { EventColumns } from './event-table.ts';

/** Returns a property of the user of each event. */
export function readUserColumn(
  { userIds, userCodes }: EventColumns,
  profiles: ReadonlyMap<string, Properties>,
  name: string,
): BatchColumn {
  const builder = new ColumnBuilder(userIds.length);
  for (const [user, id] of userIds.entries()) builder.set(user, readProperty(profiles.get(id), name));
  return selectRows(builder.finish(), userCodes);
}
