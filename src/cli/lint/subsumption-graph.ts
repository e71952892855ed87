import type { Witness } from '../../api/relate.ts';

/** A filter that selects only records that another one selects, and a record that only the other one selects. */
interface Subsumption {
  readonly narrow: number;
  readonly wide: number;
  readonly witness: Witness | undefined;
}

/** Which filters, as indexes, are equal, and which select only records that others select. */
export class SubsumptionGraph {
  /** For each filter, an equal one or itself. */
  private readonly parents: number[];
  private readonly edges: Subsumption[] = [];

  constructor(size: number) {
    this.parents = Array.from({ length: size }, (_, index) => index);
  }

  /** Adds that two filters are equal. */
  join(left: number, right: number): void {
    const [first, second] = [this.findRoot(left), this.findRoot(right)].sort((one, other) => one - other) as [
      number,
      number,
    ];
    this.parents[second] = first;
  }

  add(edge: Subsumption): void {
    this.edges.push(edge);
  }

  /** Lists the groups of equal filters, each in order. */
  listGroups(): readonly (readonly number[])[] {
    const groups = new Map<number, number[]>();
    for (const index of this.parents.keys()) {
      const root = this.findRoot(index);
      groups.set(root, [...(groups.get(root) ?? []), index]);
    }
    return [...groups.values()];
  }

  /** Lists the edges between the first filters of the groups, without those that follow from two others. */
  listEdges(): readonly Subsumption[] {
    const wider = new Map<number, Map<number, Subsumption>>();
    for (const { narrow, wide, witness } of this.edges) {
      const [from, to] = [this.findRoot(narrow), this.findRoot(wide)];
      const known = wider.get(from) ?? new Map<number, Subsumption>();
      wider.set(from, known.set(to, { narrow: from, wide: to, witness }));
    }
    return [...wider.values()].flatMap((edges) =>
      [...edges.values()].filter(
        ({ wide }) => ![...edges.keys()].some((middle) => middle !== wide && wider.get(middle)?.has(wide)),
      ),
    );
  }

  private findRoot(index: number): number {
    let root = index;
    while (this.parents[root] !== root) root = this.parents[root] as number;
    return root;
  }
}
