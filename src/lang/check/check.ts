import { type Binary, type Expression, isDatetimeCall, type Logical, type Membership, type Property } from '../ast.ts';
import { compareByPosition, type Diagnostic, diagnose } from '../diagnostic.ts';
import { isElement } from '../operators/functions.ts';
import { applyOperator, getResultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';
import { ANY, BOOLEAN, CONDITION, isSubset, NUMBER, STRING, type TypeSet, toTypeSet, UNDEFINED } from '../types.ts';
import { formatProperty } from '../util/strings.ts';
import { suggest } from '../util/suggest.ts';
import { unreachable } from '../util/unreachable.ts';
import { getType, hasProperty, type Properties, readProperty, type Value } from '../value.ts';
import {
  type Comparison,
  diagnoseChainedComparison,
  findPreviousComparison,
  warnOfNeverEqual,
  warnOfNoAnswer,
  warnOfStringOrder,
  warnOfUnknownValue,
} from './lint.ts';
import type { NodeFacts } from './node-facts.ts';
import { getPropertySchema, getPropertySchemas, type Schema } from './schema.ts';

/** What an expression can be for (language, section 5). `value` is any other use: everything is taken as it is. */
export const USES = ['where', 'on', 'number', 'value'] as const;

export type Use = (typeof USES)[number];

/** A property that an expression reads: of the event, or of its user. */
export interface PropertyRead {
  readonly scope: 'properties' | 'user';
  readonly name: string;
}

/** A tree with all that the engines need to know about its nodes. */
export interface Checked {
  readonly source: string;
  readonly tree: Expression;
  readonly facts: ReadonlyMap<Expression, NodeFacts>;
  /** The properties that it reads, each once, in source order; `event` counts as `properties`. */
  readonly properties: readonly PropertyRead[];
  /** Whether it reads `now`. */
  readonly readsTime: boolean;
  /** In source order. An error means that the expression fails on every record. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is known of every record that an expression meets. */
export interface PartialInput {
  /** Properties of the event; one that is undefined is missing. */
  readonly properties?: Properties | undefined;
  /** Properties of its user. */
  readonly user?: Properties | undefined;
  /** The time of the query in Unix seconds. */
  readonly now?: number | undefined;
}

/** A search through all known names takes its time; who has so many names wrong has another schema in mind. */
const MAX_SUGGESTIONS = 10;

/** Finds the static types of every node, what fails on every record and what cannot have been meant (language, section 6). */
export function checkTree(source: string, tree: Expression, use: Use, schema?: Schema, given?: PartialInput): Checked {
  const checker = new Checker(schema, given);
  const { types } = checker.visit(tree);
  checker.use(tree, types, use);
  const { facts, properties, readsTime } = checker;
  return { source, tree, facts, properties, readsTime, diagnostics: checker.diagnosticsIn(source) };
}

class Checker {
  readonly facts = new Map<Expression, NodeFacts>();
  readonly properties: PropertyRead[] = [];
  readsTime = false;
  private readonly diagnostics: Diagnostic[] = [];
  /** Where each name has been read, as bits. */
  private readonly read = new Map<string, number>();
  /** The last comparison of each row of them. */
  private readonly rows: Comparison[] = [];
  private suggestions = 0;

  constructor(
    private readonly schema: Schema | undefined,
    private readonly given: PartialInput = {},
  ) {}

  /** Judges a node; the left side of a comparison that continues a row is `inRow`. */
  visit(node: Expression, inRow = false): NodeFacts {
    const facts = this.judge(node, inRow);
    this.facts.set(node, facts);
    return facts;
  }

  /** What the use asks of the expression as a whole. */
  use(tree: Expression, types: TypeSet, use: Use): void {
    if (use === 'where') this.condition(tree, types, undefined);
    if (use === 'number' && (types & NUMBER) === 0) this.report(diagnose('never-number', tree.span, { found: types }));
  }

  /** Everything that was found, in source order. */
  diagnosticsIn(source: string): readonly Diagnostic[] {
    if (this.rows.length === 0) return this.diagnostics.sort(compareByPosition);
    const chained = this.rows.map((last) => diagnoseChainedComparison(last, source));
    // What a comparison of a chain answers is never what was meant: its types tell nothing more.
    const spans = new Set(chained.map(({ span }) => span));
    const others = this.diagnostics.filter(({ span }) => !spans.has(span));
    return [...others, ...chained].sort(compareByPosition);
  }

  private report(found: Diagnostic | undefined): void {
    if (found !== undefined) this.diagnostics.push(found);
  }

  private judge(node: Expression, inRow: boolean): NodeFacts {
    switch (node.kind) {
      case 'literal':
        return constant(node.value);
      case 'property':
        return this.property(node);
      case 'now':
        this.readsTime = true;
        return this.given.now === undefined ? { types: NUMBER, fallible: false } : constant(this.given.now);
      case 'call':
        return this.strict(node, FUNCTIONS[node.operator], this.visit(node.operand));
      case 'prefix':
        return this.strict(node, PREFIX[node.operator], this.visit(node.operand));
      case 'binary':
        return this.binary(node, inRow);
      case 'timeComparison': {
        const left = this.time(node.left, this.continues(node, inRow));
        const right = this.time(node.right);
        this.report(warnOfNeverEqual(node, left.types, right.types));
        return this.strict(node, BINARY[node.operator], left, right);
      }
      case 'membership':
        return this.membership(node, inRow);
      case 'logical':
        return this.logical(node);
      default:
        return unreachable(node);
    }
  }

  private property(node: Property): NodeFacts {
    this.note(node);
    const given = node.scope === 'user' ? this.given.user : this.given.properties;
    if (hasProperty(given, node.name)) return constant(readProperty(given, node.name));
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
    // A near name may be another property; one that differs in case alone is the one.
    const certain = nearest !== undefined && nearest.toLowerCase() === name.toLowerCase();
    const fix = certain ? { span, text: formatProperty(scope, nearest) } : undefined;
    this.report(diagnose('unknown-property', span, { name, nearest }, fix));
  }

  private note({ scope, name }: Property): void {
    const bit = scope === 'user' ? 1 : 2;
    const before = this.read.get(name) ?? 0;
    if ((before & bit) !== 0) return;
    this.read.set(name, before | bit);
    this.properties.push({ scope: scope === 'user' ? 'user' : 'properties', name });
  }

  /** Whether a comparison continues a row; what nothing continues is the last of it. */
  private continues(node: Comparison, inRow: boolean): boolean {
    const continues = findPreviousComparison(node) !== undefined;
    if (continues && !inRow) this.rows.push(node);
    return continues;
  }

  private binary(node: Binary, inRow: boolean): NodeFacts {
    const left = this.visit(node.left, this.continues(node, inRow));
    const right = this.visit(node.right);
    const both = left.types & right.types;
    this.report(warnOfStringOrder(node.operator, node.left, both));
    this.report(warnOfStringOrder(node.operator, node.right, both));
    this.report(warnOfNeverEqual(node, left.types, right.types));
    if ((node.operator === '==' || node.operator === '!=') && both !== 0) {
      this.knownValue(node.left, node.right, right);
      this.knownValue(node.right, node.left, left);
    }
    if (node.operator === 'in' && (right.types & STRING) === 0) this.knownValue(node.right, node.left, left);
    return this.strict(node, BINARY[node.operator], left, right);
  }

  /** A constant that is compared with a property, or looked for in one. */
  private knownValue(property: Expression, other: Expression, { constant }: NodeFacts): void {
    if (property.kind !== 'property' || (constant?.value ?? undefined) === undefined) return;
    const known = getPropertySchema(this.schema, property);
    if (known !== undefined) this.report(warnOfUnknownValue(property, known, other, constant?.value));
  }

  /** A side of a comparison of times, read through `datetime`. */
  private time(side: Expression, inRow = false): NodeFacts {
    const facts = this.visit(side, inRow);
    return isDatetimeCall(side) ? facts : this.strict(side, FUNCTIONS.datetime, facts);
  }

  private strict(node: Expression, row: StrictRow, left: NodeFacts, right?: NodeFacts): NodeFacts {
    const facts = transfer(row, left, right);
    if (facts.types === UNDEFINED)
      this.report(warnOfNoAnswer(node.span, row, right === undefined ? [left] : [left, right]));
    return facts;
  }

  private membership(node: Membership, inRow: boolean): NodeFacts {
    const operand = this.visit(node.operand, this.continues(node, inRow));
    let types: TypeSet = 0;
    for (const item of node.items) {
      const facts = this.visit(item);
      types |= facts.types;
      if ((operand.types & facts.types) !== 0) this.knownValue(node.operand, item, facts);
    }
    this.report(warnOfNeverEqual(node, operand.types, types));
    if (operand.constant === undefined) return { types: BOOLEAN, fallible: operand.fallible };
    const items = node.items.map((item) => item.value);
    return constant(isElement(operand.constant.value, items));
  }

  private logical({ operator, operands }: Logical): NodeFacts {
    const { decidedBy } = LOGICAL[operator];
    let [fallible, known, decided] = [false, true, false];
    for (const operand of operands) {
      const facts = this.visit(operand);
      this.condition(operand, facts.types, operator);
      fallible ||= facts.fallible || !isSubset(facts.types, CONDITION);
      known &&= facts.constant !== undefined;
      decided ||= facts.constant !== undefined && (facts.constant.value ?? false) === decidedBy;
    }
    if (fallible || !(known || decided)) return { types: BOOLEAN, fallible };
    return constant(decided ? decidedBy : !decidedBy);
  }

  /** An operand of `and` or `or` or, without an operator, the filter as a whole. */
  private condition(node: Expression, types: TypeSet, operator: 'and' | 'or' | undefined): void {
    if ((types & CONDITION) === 0) {
      this.report(
        operator
          ? diagnose('operand-type', node.span, { operator, found: types })
          : diagnose('filter-type', node.span, { found: types }),
      );
    } else if ((types & BOOLEAN) === 0 && types !== UNDEFINED) {
      this.report(diagnose('never-true', node.span, { operator, found: types }));
    }
  }
}

function constant(value: Value): NodeFacts {
  return { types: getType(value), constant: { value }, fallible: false };
}

/** What is known of a strict operator's answer from what is known of its operands. */
function transfer(row: StrictRow, left: NodeFacts, right: NodeFacts | undefined): NodeFacts {
  if (right === undefined) {
    if (left.constant) return constant(applyOperator(row, [left.constant.value]));
    return answerOf(getResultTypes(row, [left.types]), left.fallible);
  }
  if (left.constant && right.constant) return constant(applyOperator(row, [left.constant.value, right.constant.value]));
  return answerOf(getResultTypes(row, [left.types, right.types]), left.fallible || right.fallible);
}

/** What can only be undefined, and cannot fail, is known. */
function answerOf(types: TypeSet, fallible: boolean): NodeFacts {
  return types === UNDEFINED && !fallible ? constant(undefined) : { types, fallible };
}
