import { compileWhere } from '../../api/expressions.ts';
import { canonical, isAlways, isNever, type Relation, relate, type Verdict, type Witness } from '../../api/relate.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { Diagnostic } from '../../lang/diagnostic.ts';
import { ExpressionError } from '../../lang/errors.ts';
import type { SavedFilter } from '../input/read-saved-filters.ts';
import { findCandidates } from './find-candidates.ts';
import { findNearDuplicates } from './near-duplicates.ts';
import { SubsumptionGraph } from './subsumption-graph.ts';

/** A problem of one filter, or a relation of several. */
export type Finding =
  | { readonly kind: 'invalid'; readonly filters: readonly [SavedFilter]; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'never-true' | 'always-true'; readonly filters: readonly [SavedFilter] }
  | { readonly kind: 'duplicate'; readonly filters: readonly SavedFilter[] }
  /** The first filter selects only records that the second one selects. The witness is one that only the second does. */
  | { readonly kind: 'subsumed'; readonly filters: readonly [SavedFilter, SavedFilter]; readonly witness?: Witness }
  /** Filters that differ in one condition on some properties or, without properties, in type errors alone. */
  | {
      readonly kind: 'near-duplicate';
      readonly filters: readonly SavedFilter[];
      readonly properties: readonly string[];
    };

export interface LintResult {
  readonly filters: number;
  readonly findings: readonly Finding[];
  /** The filters of which it is unknown whether they are ever true. They are compared with no others. */
  readonly undecidedFilters: number;
  /** The pairs of which it is unknown whether one selects all that the other does. */
  readonly undecidedPairs: number;
  /** Whether some pairs were not compared, because there are too many. */
  readonly arePairsLimited: boolean;
}

interface LintOptions {
  readonly schema?: Schema;
  readonly timeZone: string;
}

/** How much work is done. */
interface LintLimits {
  /** The steps for a filter or a pair. */
  readonly steps: number;
  /** The pairs that are compared. */
  readonly pairs: number;
}

/** Real filters need less than a tenth of the steps. More pairs would take minutes. */
export const LINT_LIMITS: LintLimits = { steps: 10_000, pairs: 10_000 };

const KINDS = ['invalid', 'never-true', 'always-true', 'duplicate', 'subsumed', 'near-duplicate'] as const;

/** Finds filters that are invalid, never or always true, or related to others. */
export function lintFilters(
  filters: readonly SavedFilter[],
  options: LintOptions,
  limits: LintLimits = LINT_LIMITS,
): LintResult {
  const linter = new Linter(options, limits);
  for (const filter of filters) linter.add(filter);
  const counts = linter.relate();
  const findings = linter.findings.toSorted((left, right) => KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind));
  return { filters: filters.length, findings, ...counts };
}

/** A filter that is true for some records and not for others, with the filters that have the same normal form. */
interface Member {
  readonly filters: SavedFilter[];
  readonly normalForm: string;
  readonly selected: Witness;
  readonly rejected: Witness;
}

class Linter {
  readonly findings: Finding[] = [];
  private readonly known: { readonly schema?: Schema; readonly timeZone: string; readonly steps: number };
  /** The filters by normal form. Undefined for those that are not compared. */
  private readonly members = new Map<string, Member | undefined>();
  private undecidedFilters = 0;

  constructor(
    private readonly options: LintOptions,
    private readonly limits: LintLimits,
  ) {
    this.known = { ...options, steps: limits.steps };
  }

  add(filter: SavedFilter): void {
    const { where } = filter;
    let normalForm: string;
    try {
      compileWhere(where, this.options);
      normalForm = canonical(where, { timeZone: this.options.timeZone });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.findings.push({ kind: 'invalid', filters: [filter], diagnostics: error.diagnostics });
      return;
    }
    const member = this.members.get(normalForm);
    if (member !== undefined) member.filters.push(filter);
    else this.members.set(normalForm, this.createMember(filter, normalForm));
  }

  /** Compares the filters. Returns how much was left open. */
  relate(): Omit<LintResult, 'filters' | 'findings'> {
    const members = [...this.members.values()].filter((member) => member !== undefined);
    const sources = members.map(({ filters: [first] }) => (first as SavedFilter).where);
    const { pairs, isLimited } = findCandidates(
      members.map(({ selected, rejected }, index) => ({ where: sources[index] as string, selected, rejected })),
      this.options.timeZone,
      this.limits.pairs,
    );
    const graph = new SubsumptionGraph(members.length);
    let undecidedPairs = 0;
    for (const [left, right] of pairs) {
      const relation = relate(sources[left] as string, sources[right] as string, this.known);
      if (relation.relation === 'unknown') undecidedPairs++;
      this.takeRelation(graph, relation, [left, right], members);
    }
    for (const group of graph.listGroups()) {
      const filters = group.flatMap((index) => members[index]?.filters ?? []);
      if (filters.length > 1) this.findings.push({ kind: 'duplicate', filters });
    }
    const firstOf = (index: number) => members[index]?.filters[0] as SavedFilter;
    for (const { narrow, wide, witness } of graph.listEdges())
      this.findings.push({ kind: 'subsumed', filters: [firstOf(narrow), firstOf(wide)], ...(witness && { witness }) });
    for (const { filters, properties } of findNearDuplicates(members.map(({ normalForm }) => normalForm)))
      this.findings.push({ kind: 'near-duplicate', filters: filters.map(firstOf), properties });
    return { undecidedFilters: this.undecidedFilters, undecidedPairs, arePairsLimited: isLimited };
  }

  private createMember(filter: SavedFilter, normalForm: string): Member | undefined {
    const [never, always] = [isNever(filter.where, this.known), isAlways(filter.where, this.known)];
    const isConstant = (verdict: Verdict, kind: 'never-true' | 'always-true') => {
      if (verdict.answer === 'yes') this.findings.push({ kind, filters: [filter] });
      return verdict.answer === 'yes';
    };
    if (isConstant(never, 'never-true') || isConstant(always, 'always-true')) return undefined;
    const [selected, rejected] = [never.witness, always.witness];
    if (selected !== undefined && rejected !== undefined) return { filters: [filter], normalForm, selected, rejected };
    this.undecidedFilters++;
    return undefined;
  }

  private takeRelation(
    graph: SubsumptionGraph,
    { relation, onlyLeft, onlyRight }: Relation,
    [left, right]: readonly [number, number],
    members: readonly Member[],
  ): void {
    if (relation === 'equal') graph.join(left, right);
    if (relation === 'implied-by') graph.add({ narrow: right, wide: left, witness: onlyLeft });
    if (relation !== 'implies') return;
    if (onlyRight !== undefined) {
      graph.add({ narrow: left, wide: right, witness: onlyRight });
      return;
    }
    const filters = [left, right].map((index) => members[index]?.filters[0] as SavedFilter);
    this.findings.push({ kind: 'near-duplicate', filters, properties: [] });
  }
}
