import { type Checked, checkTree } from '../../check/check.ts';
import type { PropertySchema } from '../../check/schema.ts';
import { type Batch, getColumn } from '../../plan/batch.ts';
import { getTypeNames, type TypeSet } from '../../types.ts';

/**
 * Plans an expression again for each batch, with the types of its columns as the schema. Then most operands cannot
 * fail, and most operators get only numbers.
 */
export class BatchPlanner<Planned> {
  private lastTypes: readonly TypeSet[] = [];
  private lastPlan: Planned | undefined;

  constructor(
    private readonly checked: Checked,
    private readonly toPlan: (checked: Checked) => Planned,
  ) {}

  /** Returns the plan for a batch. Most batches of a source have the same types, so the last plan is cached. */
  getPlan(batch: Batch): Planned {
    const types = this.checked.properties.map((read) => getColumn(batch, read)?.types ?? 0);
    if (this.lastPlan === undefined || types.some((set, index) => set !== this.lastTypes[index])) {
      this.lastPlan = this.toPlan(this.check(types));
      this.lastTypes = types;
    }
    return this.lastPlan;
  }

  private check(types: readonly TypeSet[]): Checked {
    const { source, tree, properties, timeZone } = this.checked;
    const known = { properties: new Map<string, PropertySchema>(), user: new Map<string, PropertySchema>() };
    for (const [index, { scope, name }] of properties.entries()) {
      known[scope].set(name, { types: getTypeNames(types[index] ?? 0) });
    }
    const schema = { properties: Object.fromEntries(known.properties), user: Object.fromEntries(known.user) };
    return checkTree(source, tree, 'value', { schema, timeZone });
  }
}
