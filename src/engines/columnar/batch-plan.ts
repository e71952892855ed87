import type { Checked, PropertyRead } from '../../check/check.ts';
import { canFail, type Facts, factsOf } from '../../check/facts.ts';
import type { Expression } from '../../language/ast.ts';
import type { Value } from '../../language/value.ts';
import { childrenOf } from '../../language/visit.ts';
import type { Closure } from '../../plan/engine.ts';
import { type Batch, columnOf } from './batch.ts';
import { ColumnView } from './column-view.ts';
import { Subset } from './subset.ts';

/** A property that an expression reads and that the batch has a column for. */
export interface BoundRead extends PropertyRead {
  readonly view: ColumnView;
}

type ToFunction<Answer> = (checked: Checked) => Closure<Answer>;

/** What is known of an expression on one batch: all that it takes to choose how each part of it is evaluated. */
export class BatchPlan {
  private readonly bound: ReadonlyMap<string, BoundRead>;
  private readonly readsOf = new Map<Expression, ReadonlySet<BoundRead>>();

  /** @param checked as {@link BatchChecker} has it for the batch. */
  constructor(
    private readonly checked: Checked,
    batch: Batch,
    private readonly now: number,
    /** The most rows that a block has. */
    readonly limit: number,
  ) {
    this.bound = new Map(
      checked.properties.flatMap((read) => {
        const column = columnOf(batch, read);
        return column ? [[keyOf(read), { ...read, view: new ColumnView(column, limit) }]] : [];
      }),
    );
  }

  /** Goes on to a block: to the rows from `first` on or, where these are not one after the other, to those of a selection. */
  moveTo(first: number, count: number, selection: Uint32Array | undefined): void {
    for (const { view } of this.bound.values()) view.moveTo(first, count, selection);
  }

  /** A place for some of the rows of a block. */
  subset(): Subset {
    return new Subset(this.limit);
  }

  facts(node: Expression): Facts {
    return factsOf(node, this.checked.facts);
  }

  /** Whether judging it as an operand can raise a type error, so that no row may be spared it. */
  canFail(node: Expression): boolean {
    return canFail(this.facts(node));
  }

  /** The columns that it depends on. */
  reads(node: Expression): ReadonlySet<BoundRead> {
    const known = this.readsOf.get(node);
    if (known !== undefined) return known;
    const reads = this.findReads(node);
    this.readsOf.set(node, reads);
    return reads;
  }

  /** The column that it depends on, if it is just one. */
  soleRead(node: Expression): BoundRead | undefined {
    const [first, ...others] = this.reads(node);
    return others.length === 0 ? first : undefined;
  }

  /** Evaluates what depends on no column. */
  once<Answer>(node: Expression, toFunction: ToFunction<Answer>): Answer {
    return toFunction({ ...this.checked, tree: node })({}, undefined, this.now);
  }

  /** What depends on one column, as a function of the value there. */
  ofValue<Answer>(node: Expression, read: BoundRead, toFunction: ToFunction<Answer>): (value: Value) => Answer {
    const { closure, set, properties, user } = this.prepared(node, toFunction);
    return (value) => {
      set(read, value);
      return closure(properties, user, this.now);
    };
  }

  /** The expression as a function of the position in the block. */
  ofPosition<Answer>(node: Expression, toFunction: ToFunction<Answer>): (position: number) => Answer {
    const reads = [...this.reads(node)];
    const { closure, set, properties, user } = this.prepared(node, toFunction);
    return (position) => {
      for (const read of reads) set(read, read.view.at(position));
      return closure(properties, user, this.now);
    };
  }

  /** A closure with the record that it reads, which is written anew each time. */
  private prepared<Answer>(node: Expression, toFunction: ToFunction<Answer>) {
    const closure = toFunction({ ...this.checked, tree: node });
    const records = { properties: {}, user: {} } as Record<PropertyRead['scope'], Record<string, Value>>;
    for (const { scope, name } of this.reads(node)) {
      // An assignment to `__proto__` makes no property.
      Object.defineProperty(records[scope], name, { value: undefined, writable: true, enumerable: true });
    }
    const set = ({ scope, name }: BoundRead, value: Value) => {
      records[scope][name] = value;
    };
    return { closure, set, ...records };
  }

  private findReads(node: Expression): ReadonlySet<BoundRead> {
    if (node.kind === 'property') {
      const scope = node.scope === 'user' ? 'user' : 'properties';
      const read = this.bound.get(keyOf({ scope, name: node.name }));
      return new Set(read && [read]);
    }
    return new Set(childrenOf(node).flatMap((child) => [...this.reads(child)]));
  }
}

function keyOf({ scope, name }: PropertyRead): string {
  return `${scope} ${name}`;
}
