import type { Checked, PropertyRead } from '../../check/check.ts';
import { type Batch, getColumn } from '../../plan/batch.ts';
import { getOperands, type Plan } from '../../plan/plan.ts';
import { ColumnView } from './column-view.ts';
import { RowEvaluator } from './row-evaluator.ts';
import { Subset } from './subset.ts';

/** The rows that an expression is evaluated on. */
export interface BatchInput {
  readonly batch: Batch;
  /** The rows to look at; without it all. */
  readonly selection: Uint32Array | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/** The columns of a batch that an expression reads, block after block. */
export class BoundBatch {
  private readonly views: ReadonlyMap<string, ColumnView>;
  private readonly viewsOf = new Map<Plan, ReadonlySet<ColumnView>>();
  /** Evaluates by position in the block. */
  readonly rows: RowEvaluator;
  /** Evaluates what depends on a single column, by the entry of its dictionary. */
  readonly entries: RowEvaluator;

  /** @param limit the most rows that a block has. */
  constructor(
    { source, properties }: Checked,
    { batch, now }: BatchInput,
    readonly limit: number,
  ) {
    const context = { source, now };
    this.views = new Map(
      properties.flatMap((read) => {
        const column = getColumn(batch, read);
        return column ? [[keyOf(read), new ColumnView(column, limit)]] : [];
      }),
    );
    this.rows = new RowEvaluator((read) => {
      const view = this.view(read);
      return view ? (position) => view.at(position) : missing;
    }, context);
    this.entries = new RowEvaluator((read) => {
      const dictionary = this.view(read)?.column.dictionary;
      return dictionary ? (entry) => dictionary[entry] : missing;
    }, context);
  }

  /**
   * Goes on to a block: to the rows from `first` on or, where these are not one after the other, to those of a
   * selection.
   */
  moveTo(first: number, count: number, selection: Uint32Array | undefined): void {
    for (const view of this.views.values()) view.moveTo(first, count, selection);
  }

  /** A place for some of the rows of a block. */
  subset(): Subset {
    return new Subset(this.limit);
  }

  /** The column of a property; undefined where no row has a value for it. */
  view(read: PropertyRead): ColumnView | undefined {
    return this.views.get(keyOf(read));
  }

  /** Whether a plan has the same value in every row. */
  isConstant(plan: Plan): boolean {
    return this.viewsIn(plan).size === 0;
  }

  /** The column that a plan depends on, if that is a single one whose values are all entries of its dictionary. */
  dictionaryOf(plan: Plan): ColumnView | undefined {
    const [first, ...others] = this.viewsIn(plan);
    return first === undefined || others.length > 0 || first.column.numbers ? undefined : first;
  }

  private viewsIn(plan: Plan): ReadonlySet<ColumnView> {
    const known = this.viewsOf.get(plan);
    if (known !== undefined) return known;
    const own = plan.kind === 'read' ? this.view(plan) : undefined;
    const found = new Set(own ? [own] : getOperands(plan).flatMap((operand) => [...this.viewsIn(operand)]));
    this.viewsOf.set(plan, found);
    return found;
  }
}

function missing(): undefined {
  return undefined;
}

function keyOf({ scope, name }: PropertyRead): string {
  return `${scope} ${name}`;
}
