import { formatProperty } from '../../base/strings.ts';
import { suggest } from '../../base/suggest.ts';
import { unreachable } from '../../base/unreachable.ts';
import { type Binary, type Expression, isDatetimeCall, type Logical, type Membership, type Property } from '../ast.ts';
import { compareByPosition, type Diagnostic, diagnose } from '../diagnostic.ts';
import { isElement } from '../operators/functions.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, LOGICAL, PREFIX } from '../operators/table.ts';
import type { TimeZone } from '../operators/time-zone.ts';
import { getFunctions } from '../operators/zoned-functions.ts';
import { takeSteps } from '../steps.ts';
import { ANY, BOOLEAN, CONDITION, isSubset, NUMBER, STRING, type TypeSet, toTypeSet, UNDEFINED } from '../types.ts';
import { hasProperty, readProperty } from '../value.ts';
import type { CheckContext, PartialInput } from './context.ts';
import {
  type Comparison,
  diagnoseAlternatives,
  diagnoseChainedComparison,
  diagnoseOperand,
  findPreviousComparison,
  findRepeated,
  type Repeated,
  warnOfAlwaysUndefined,
  warnOfBinary,
  warnOfDateArithmetic,
  warnOfNeverEqual,
  warnOfStringOrder,
  warnOfUnknownValue,
} from './lint.ts';
import { findStrictFacts, type NodeFacts, toConstant } from './node-facts.ts';
import { getPropertySchema, getPropertySchemas, type Schema } from './schema.ts';

/** The uses of an expression (language, section 5). `value` is any other use, which takes every value unchanged. */
export const USES = ['where', 'on', 'number', 'value'] as const;

export type Use = (typeof USES)[number];

/** A property of the event or of its user that an expression reads. */
export interface PropertyRead {
  readonly scope: 'properties' | 'user';
  readonly name: string;
}

/** A checked tree: the nodes with the facts that engines need. */
export interface Checked {
  readonly source: string;
  readonly tree: Expression;
  readonly facts: ReadonlyMap<Expression, NodeFacts>;
  /** The properties that it reads, without duplicates, in source order. `event` counts as `properties`. */
  readonly properties: readonly PropertyRead[];
  /** True if it reads `now`. */
  readonly readsTime: boolean;
  /** The time zone of dates without one. Undefined for UTC. */
  readonly timeZone: TimeZone | undefined;
  /** Errors and warnings in source order. With an error, the expression fails on every record. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Searching all known names is slow, and more wrong names than this mean that the schema is the wrong one. */
const MAX_SUGGESTIONS = 10;

/**
 * Checks a tree (language, section 6): finds the static types of all nodes, errors for parts that fail on every record,
 * and warnings for parts that cannot mean what they say.
 */
export function checkTree(source: string, tree: Expression, use: Use, context: CheckContext = {}): Checked {
  const checker = new Checker(source, context);
  const { types } = checker.visit(tree);
  checker.checkUse(tree, types, use);
  const { facts, properties, readsTime } = checker;
  const { timeZone } = context;
  return { source, tree, facts, properties, readsTime, timeZone, diagnostics: checker.sortDiagnostics() };
}

class Checker {
  readonly facts = new Map<Expression, NodeFacts>();
  readonly properties: PropertyRead[] = [];
  readsTime = false;
  private readonly diagnostics: Diagnostic[] = [];
  /** The scopes that each name has been read from, as bits. */
  private readonly scopes = new Map<string, number>();
  /** The last comparison of each chain, such as `a < b < c`. */
  private readonly chains: Comparison[] = [];
  private suggestions = 0;

  /** The arguments of `datetime`. */
  private readonly times = new Set<Expression>();

  private readonly schema: Schema | undefined;
  private readonly given: PartialInput;
  private readonly functions: ReturnType<typeof getFunctions>;

  constructor(
    private readonly source: string,
    { schema, given = {}, timeZone }: CheckContext,
  ) {
    this.schema = schema;
    this.given = given;
    this.functions = getFunctions(timeZone);
  }

  /** Finds the facts of a node and of those below it. `inChain` is true for the left side of a chained comparison. */
  visit(node: Expression, inChain = false): NodeFacts {
    const facts = this.findFacts(node, inChain);
    this.facts.set(node, facts);
    return facts;
  }

  /** Checks the types of the whole expression against its use. */
  checkUse(tree: Expression, types: TypeSet, use: Use): void {
    if (use === 'where') this.checkCondition(tree, types, undefined);
    if (use === 'number' && (types & NUMBER) === 0) this.report(diagnose('never-number', tree.span, { found: types }));
  }

  /** Returns all diagnostics in source order. */
  sortDiagnostics(): readonly Diagnostic[] {
    if (this.chains.length === 0) return this.diagnostics.sort(compareByPosition);
    const chained = this.chains.map((last) => diagnoseChainedComparison(last, this.source));
    // The result of a chained comparison is never meant, so warnings about its type add nothing.
    const spans = new Set(chained.map(({ span }) => span));
    const others = this.diagnostics.filter(({ span }) => !spans.has(span));
    return [...others, ...chained].sort(compareByPosition);
  }

  private report(found: Diagnostic | undefined): void {
    if (found !== undefined) this.diagnostics.push(found);
  }

  private findFacts(node: Expression, inChain: boolean): NodeFacts {
    takeSteps(1);
    switch (node.kind) {
      case 'literal':
        return toConstant(node.value);
      case 'property':
        return this.visitProperty(node);
      case 'now':
        this.readsTime = true;
        return this.given.now === undefined ? { types: NUMBER, fallible: false } : toConstant(this.given.now);
      case 'call':
        if (isDatetimeCall(node)) this.times.add(node.operand);
        return this.applyStrict(node, this.functions[node.operator], this.visit(node.operand));
      case 'prefix':
        return this.applyStrict(node, PREFIX[node.operator], this.visit(node.operand));
      case 'binary':
        return this.visitBinary(node, inChain);
      case 'timeComparison': {
        const left = this.visitTime(node.left, this.isChained(node, inChain));
        const right = this.visitTime(node.right);
        this.report(warnOfNeverEqual(node, left.types, right.types));
        return this.applyStrict(node, BINARY[node.operator], left, right);
      }
      case 'membership':
        return this.visitMembership(node, inChain);
      case 'logical':
        return this.visitLogical(node);
      default:
        return unreachable(node);
    }
  }

  private visitProperty(node: Property): NodeFacts {
    this.addProperty(node);
    const given = node.scope === 'user' ? this.given.user : this.given.properties;
    if (hasProperty(given, node.name)) return toConstant(readProperty(given, node.name));
    const known = getPropertySchema(this.schema, node);
    if (known !== undefined) return { types: toTypeSet(known.types) | UNDEFINED, fallible: false };
    if (getPropertySchemas(this.schema, node.scope) !== undefined) this.reportUnknown(node);
    return { types: ANY, fallible: false };
  }

  private reportUnknown({ scope, name, span }: Property): void {
    const nearest =
      this.suggestions++ < MAX_SUGGESTIONS
        ? suggest(name, Object.keys(getPropertySchemas(this.schema, scope) ?? {}))
        : undefined;
    // A similar name may be another property; a name that differs only in case is certainly meant.
    const certain = nearest !== undefined && nearest.toLowerCase() === name.toLowerCase();
    const fix = certain ? { span, text: formatProperty(scope, nearest) } : undefined;
    this.report(diagnose('unknown-property', span, { name, nearest }, fix));
  }

  private addProperty({ scope, name }: Property): void {
    const bit = scope === 'user' ? 1 : 2;
    const scopes = this.scopes.get(name) ?? 0;
    if ((scopes & bit) !== 0) return;
    this.scopes.set(name, scopes | bit);
    this.properties.push({ scope: scope === 'user' ? 'user' : 'properties', name });
  }

  /** Returns whether a comparison is chained to one on its left. Records the chain at its last comparison. */
  private isChained(node: Comparison, inChain: boolean): boolean {
    const isChained = findPreviousComparison(node) !== undefined;
    if (isChained && !inChain) this.chains.push(node);
    return isChained;
  }

  private visitBinary(node: Binary, inChain: boolean): NodeFacts {
    const left = this.visit(node.left, this.isChained(node, inChain));
    const reported = this.diagnostics.length;
    const right = this.visit(node.right);
    const alternatives = diagnoseAlternatives(node, this.source);
    if (alternatives !== undefined) {
      // It takes the place of an error for each literal on the right.
      this.diagnostics.splice(reported, Number.POSITIVE_INFINITY, alternatives);
      return findStrictFacts(BINARY[node.operator], left, right);
    }
    const both = left.types & right.types;
    if (node.operator === '-') this.report(warnOfDateArithmetic(node, this.source, this.times.has(node)));
    const found = warnOfBinary(node, left.types, right.types, this.source);
    if (found !== undefined) {
      this.report(found);
      return findStrictFacts(BINARY[node.operator], left, right);
    }
    this.report(warnOfStringOrder(node.operator, node.left, both));
    this.report(warnOfStringOrder(node.operator, node.right, both));
    this.report(warnOfNeverEqual(node, left.types, right.types));
    if ((node.operator === '==' || node.operator === '!=') && both !== 0) {
      this.checkKnownValue(node.left, node.right, right);
      this.checkKnownValue(node.right, node.left, left);
    }
    if (node.operator === 'in' && (right.types & STRING) === 0) this.checkKnownValue(node.right, node.left, left);
    return this.applyStrict(node, BINARY[node.operator], left, right);
  }

  /** Warns if a constant that is compared with a property, or searched in one, is not among its known values. */
  private checkKnownValue(property: Expression, other: Expression, { constant }: NodeFacts): void {
    if (property.kind !== 'property' || (constant?.value ?? undefined) === undefined) return;
    const known = getPropertySchema(this.schema, property);
    if (known !== undefined) this.report(warnOfUnknownValue(property, known, other, constant?.value));
  }

  /** Visits a side of a comparison of times, which is read through `datetime`. */
  private visitTime(side: Expression, inChain = false): NodeFacts {
    const facts = this.visit(side, inChain);
    return isDatetimeCall(side) ? facts : this.applyStrict(side, this.functions.datetime, facts);
  }

  /** Returns the facts of a strict operator, and warns if it is always undefined. */
  private applyStrict(node: Expression, row: StrictRow, left: NodeFacts, right?: NodeFacts): NodeFacts {
    const facts = findStrictFacts(row, left, right);
    if (facts.types === UNDEFINED)
      this.report(warnOfAlwaysUndefined(node.span, row, right === undefined ? [left] : [left, right], this.source));
    return facts;
  }

  private visitMembership(node: Membership, inChain: boolean): NodeFacts {
    const operand = this.visit(node.operand, this.isChained(node, inChain));
    let types: TypeSet = 0;
    for (const item of node.items) {
      const facts = this.visit(item);
      types |= facts.types;
      if ((operand.types & facts.types) !== 0) this.checkKnownValue(node.operand, item, facts);
    }
    this.report(warnOfNeverEqual(node, operand.types, types));
    if (operand.constant === undefined) return { types: BOOLEAN, fallible: operand.fallible };
    const items = node.items.map((item) => item.value);
    return toConstant(isElement(operand.constant.value, items));
  }

  private visitLogical(node: Logical): NodeFacts {
    const { operator, operands } = node;
    const { decidedBy } = LOGICAL[operator];
    let [fallible, known, decided] = [false, true, false];
    for (const [index, operand] of operands.entries()) {
      const facts = this.visit(operand);
      const repeated = (facts.types & CONDITION) === 0 ? findRepeated(node, index, this.source) : undefined;
      this.checkCondition(operand, facts.types, operator, repeated);
      fallible ||= facts.fallible || !isSubset(facts.types, CONDITION);
      known &&= facts.constant !== undefined;
      decided ||= facts.constant !== undefined && (facts.constant.value ?? false) === decidedBy;
    }
    if (fallible || !(known || decided)) return { types: BOOLEAN, fallible };
    return toConstant(decided ? decidedBy : !decidedBy);
  }

  /** Checks the types of an operand of `and` or `or` or, without an operator, of the whole filter. */
  private checkCondition(
    node: Expression,
    types: TypeSet,
    operator: 'and' | 'or' | undefined,
    repeated?: Repeated,
  ): void {
    if ((types & CONDITION) === 0) {
      this.report(diagnoseOperand(node, types, operator, this.source, repeated));
    } else if ((types & BOOLEAN) === 0 && types !== UNDEFINED) {
      this.report(diagnose('never-true', node.span, { operator, found: types }));
    }
  }
}
