import type { Checked, PropertyRead } from '../../check/check.ts';
import { type Batch, getColumn } from '../../plan/batch.ts';
import { getOperands, type Plan } from '../../plan/plan.ts';
import { ColumnView } from './column-view.ts';
import { RowCompiler } from './row-compiler.ts';
import { Subset } from './subset.ts';

/** The rows that an expression is evaluated on. */
export interface BatchInput {
  readonly batch: Batch;
  /** The rows to evaluate. Default: all. */
  readonly selection: Uint32Array | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/** The columns of a batch that an expression reads, one block after another. */
export class BoundBatch {
  private readonly views: ReadonlyMap<string, ColumnView>;
  private readonly viewsByPlan = new Map<Plan, ReadonlySet<ColumnView>>();
  /** For the row at a position in the block. */
  readonly rows: RowCompiler;
  /** For an entry of a dictionary, for plans that depend on a single column. */
  readonly entries: RowCompiler;

  /** @param limit The maximum number of rows in a block. */
  constructor(
    { source, properties }: Checked,
    { batch, now }: BatchInput,
    readonly limit: number,
  ) {
    this.views = new Map(
      properties.flatMap((read) => {
        const column = getColumn(batch, read);
        return column ? [[getKey(read), new ColumnView(column, limit)]] : [];
      }),
    );
    this.rows = new RowCompiler(source, now, (read) => {
      const view = this.getView(read);
      return view ? (position) => view.getValue(position) : readMissing;
    });
    this.entries = new RowCompiler(source, now, (read) => {
      const dictionary = this.getView(read)?.column.dictionary;
      return dictionary ? (entry) => dictionary[entry] : readMissing;
    });
  }

  /**
   * Moves to the next block: `count` rows of the selection if there is one, else the rows from `first`.
   */
  moveTo(first: number, count: number, selection: Uint32Array | undefined): void {
    for (const view of this.views.values()) view.moveTo(first, count, selection);
  }

  /** Creates an empty set of rows of a block. */
  createSubset(): Subset {
    return new Subset(this.limit);
  }

  /** Returns the column of a property, or undefined if no row has a value for it. */
  getView(read: PropertyRead): ColumnView | undefined {
    return this.views.get(getKey(read));
  }

  /** Returns whether a plan has the same value in every row. */
  isConstant(plan: Plan): boolean {
    return this.collectViews(plan).size === 0;
  }

  /** Returns the only column that a plan depends on, if all its values are dictionary entries. */
  getDictionaryView(plan: Plan): ColumnView | undefined {
    const [first, ...others] = this.collectViews(plan);
    return first === undefined || others.length > 0 || first.column.numbers ? undefined : first;
  }

  private collectViews(plan: Plan): ReadonlySet<ColumnView> {
    const known = this.viewsByPlan.get(plan);
    if (known !== undefined) return known;
    const own = plan.kind === 'read' ? this.getView(plan) : undefined;
    const found = new Set(own ? [own] : getOperands(plan).flatMap((operand) => [...this.collectViews(operand)]));
    this.viewsByPlan.set(plan, found);
    return found;
  }
}

function readMissing(): undefined {
  return undefined;
}

function getKey({ scope, name }: PropertyRead): string {
  return `${scope} ${name}`;
}
