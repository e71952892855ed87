import { type Checked, checkTree } from '../../check/check.ts';
import type { PropertySchema } from '../../check/schema.ts';
import { type Batch, getColumn } from '../../plan/batch.ts';
import { getTypeNames, type TypeSet } from '../../types.ts';

/**
 * Plans an expression once more for each batch, which is its own schema: its columns have just these types. So most
 * operands cannot fail, and most operators meet nothing but numbers.
 */
export class BatchPlanner<Planned> {
  private types: readonly TypeSet[] = [];
  private last: Planned | undefined;

  constructor(
    private readonly checked: Checked,
    private readonly toPlan: (checked: Checked) => Planned,
  ) {}

  /** The batches of a source mostly have the same types, so the last plan is kept. */
  planFor(batch: Batch): Planned {
    const types = this.checked.properties.map((read) => getColumn(batch, read)?.types ?? 0);
    if (this.last === undefined || types.some((set, index) => set !== this.types[index])) {
      this.last = this.toPlan(this.check(types));
      this.types = types;
    }
    return this.last;
  }

  private check(types: readonly TypeSet[]): Checked {
    const { source, tree, properties } = this.checked;
    const known = { properties: new Map<string, PropertySchema>(), user: new Map<string, PropertySchema>() };
    for (const [index, { scope, name }] of properties.entries()) {
      known[scope].set(name, { types: getTypeNames(types[index] ?? 0) });
    }
    return checkTree(source, tree, 'value', {
      properties: Object.fromEntries(known.properties),
      user: Object.fromEntries(known.user),
    });
  }
}
