import { type Checked, checkTree } from '../../check/check.ts';
import type { PropertySchema } from '../../check/schema.ts';
import { type TypeSet, typeNames } from '../../language/types.ts';
import { type Batch, columnOf } from './batch.ts';

/**
 * Checks an expression once more for each batch, which is its own schema: just these types are in its columns. So most operands cannot
 * fail, and most operators meet nothing but numbers.
 */
export class BatchChecker {
  private types: readonly TypeSet[] = [];
  private last: Checked | undefined;

  constructor(private readonly checked: Checked) {}

  /** The batches of a source mostly have the same types, so that the answer for the last one is kept. */
  check(batch: Batch): Checked {
    const types = this.checked.properties.map((read) => columnOf(batch, read)?.types ?? 0);
    if (this.last === undefined || types.some((set, index) => set !== this.types[index])) {
      this.last = this.checkFor(types);
      this.types = types;
    }
    return this.last;
  }

  private checkFor(types: readonly TypeSet[]): Checked {
    const { source, tree, properties } = this.checked;
    const known = { properties: new Map<string, PropertySchema>(), user: new Map<string, PropertySchema>() };
    for (const [index, { scope, name }] of properties.entries()) {
      known[scope].set(name, { types: typeNames(types[index] ?? 0) });
    }
    return checkTree(source, tree, 'value', {
      properties: Object.fromEntries(known.properties),
      user: Object.fromEntries(known.user),
    });
  }
}
