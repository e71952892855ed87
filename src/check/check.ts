import { type Expression, isDatetimeCall, type Logical, type Membership, type Property } from '../language/ast.ts';
import { byPosition, type Diagnostic, diagnose } from '../language/diagnostic.ts';
import { BOOLEAN, CONDITION, isSubset, NUMBER, type TypeSet, UNDEFINED } from '../language/types.ts';
import { typeOf, type Value } from '../language/value.ts';
import { apply, resultTypes } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';
import { isElement } from '../operators/text.ts';
import { propertyText } from '../util/quote-text.ts';
import { suggest } from '../util/suggest.ts';
import { unreachable } from '../util/unreachable.ts';
import type { Facts } from './facts.ts';
import { chainedComparisons, neverEqual, noAnswer, textOrder } from './lint.ts';
import { KnownProperties, type Schema } from './schema.ts';

/** What the expression is for (language, section 5). `value` is any other use: everything is taken as it is. */
export type Use = 'where' | 'on' | 'number' | 'value';

/** A property that an expression reads: of the event, or of its user. */
export interface PropertyRead {
  readonly scope: 'properties' | 'user';
  readonly name: string;
}

/** A tree with all that the engines need to know about its nodes. */
export interface Checked {
  readonly source: string;
  readonly tree: Expression;
  readonly facts: ReadonlyMap<Expression, Facts>;
  /** The properties that it reads, each once, in source order; `event` counts as `properties`. */
  readonly properties: readonly PropertyRead[];
  /** In source order. An error means that the expression fails on every record. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A search through all known names takes its time; who has so many names wrong has another schema in mind. */
const MOST_SUGGESTIONS = 10;

/** Finds the static types of every node, what fails on every record and what cannot have been meant (language, section 6). */
export function checkTree(source: string, tree: Expression, use: Use, schema?: Schema): Checked {
  const checker = new Checker(new KnownProperties(schema));
  const { types } = checker.visit(tree);
  checker.use(tree, types, use);
  const chained = chainedComparisons(tree, source);
  // What a comparison of a chain answers is never what was meant: its types tell nothing more.
  const others = checker.diagnostics.filter(({ span }) => !chained.some((found) => found.span === span));
  return {
    source,
    tree,
    facts: checker.facts,
    properties: [...checker.read.values()],
    diagnostics: [...others, ...chained].sort(byPosition),
  };
}

class Checker {
  readonly facts = new Map<Expression, Facts>();
  readonly read = new Map<string, PropertyRead>();
  readonly diagnostics: Diagnostic[] = [];
  private suggestions = 0;

  constructor(private readonly known: KnownProperties) {}

  visit(node: Expression): Facts {
    const facts = this.judge(node);
    this.facts.set(node, facts);
    return facts;
  }

  /** What the use asks of the expression as a whole. */
  use(tree: Expression, types: TypeSet, use: Use): void {
    if (use === 'where') this.condition(tree, types, undefined);
    if (use === 'number' && (types & NUMBER) === 0) this.report(diagnose('never-number', tree.span, { found: types }));
  }

  report(...found: readonly Diagnostic[]): void {
    this.diagnostics.push(...found);
  }

  private judge(node: Expression): Facts {
    switch (node.kind) {
      case 'literal':
        return constant(node.value);
      case 'property':
        return this.property(node);
      case 'now':
        return { types: NUMBER, fallible: false };
      case 'call':
        return this.strict(node, FUNCTIONS[node.operator], [this.visit(node.operand)]);
      case 'prefix':
        return this.strict(node, PREFIX[node.operator], [this.visit(node.operand)]);
      case 'binary': {
        const sides = [this.visit(node.left), this.visit(node.right)] as const;
        this.report(...textOrder(node, ...sides), ...neverEqual(node, ...sides));
        return this.strict(node, BINARY[node.operator], sides);
      }
      case 'timeComparison': {
        const sides = [this.time(node.left), this.time(node.right)] as const;
        this.report(...neverEqual(node, ...sides));
        return this.strict(node, BINARY[node.operator], sides);
      }
      case 'membership':
        return this.membership(node);
      case 'logical':
        return this.logical(node);
      default:
        return unreachable(node);
    }
  }

  private property(node: Property): Facts {
    const scope = node.scope === 'user' ? 'user' : 'properties';
    this.read.set(JSON.stringify([scope, node.name]), { scope, name: node.name });
    const names = this.known.namesInstead(node);
    if (names !== undefined) {
      const nearest = this.suggestions++ < MOST_SUGGESTIONS ? suggest(node.name, names) : undefined;
      // A near name may be another property; one that differs in case alone is the one.
      const certain = nearest !== undefined && nearest.toLowerCase() === node.name.toLowerCase();
      const fix = certain ? { span: node.span, text: propertyText(node.scope, nearest) } : undefined;
      this.report(diagnose('unknown-property', node.span, { name: node.name, nearest }, fix));
    }
    return { types: this.known.types(node), fallible: false };
  }

  /** A side of a comparison of times, read through `datetime`. */
  private time(side: Expression): Facts {
    const facts = this.visit(side);
    return isDatetimeCall(side) ? facts : this.strict(side, FUNCTIONS.datetime, [facts]);
  }

  private strict(node: Expression, row: StrictRow, operands: readonly Facts[]): Facts {
    const facts = transfer(row, operands);
    this.report(...noAnswer(node.span, row, operands, facts));
    return facts;
  }

  private membership(node: Membership): Facts {
    const operand = this.visit(node.operand);
    const items = node.items.map((item) => item.value);
    const types = items.reduce<TypeSet>((set, item) => set | typeOf(item), 0);
    for (const item of node.items) this.facts.set(item, constant(item.value));
    this.report(...neverEqual(node, operand, { types }));
    if (operand.constant) return constant(isElement(operand.constant.value, items));
    return { types: BOOLEAN, fallible: operand.fallible };
  }

  private logical(node: Logical): Facts {
    const { decidedBy } = LOGICAL[node.operator];
    const operands = node.operands.map((operand) => this.visit(operand));
    node.operands.forEach((operand, index) => {
      this.condition(operand, operands[index]?.types ?? 0, node.operator);
    });
    const fallible = operands.some((operand) => operand.fallible || !isSubset(operand.types, CONDITION));
    if (fallible || !operands.every((operand) => operand.constant)) return { types: BOOLEAN, fallible };
    const decided = operands.some((operand) => (operand.constant?.value ?? false) === decidedBy);
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

function constant(value: Value): Facts {
  return { types: typeOf(value), constant: { value }, fallible: false };
}

/** What is known of a strict operator's answer from what is known of its operands. */
function transfer(row: StrictRow, operands: readonly Facts[]): Facts {
  const values = operands.flatMap((operand) => (operand.constant ? [operand.constant.value] : []));
  if (values.length === operands.length) return constant(apply(row, values));
  const types = resultTypes(
    row,
    operands.map((operand) => operand.types),
  );
  return { types, fallible: operands.some((operand) => operand.fallible) };
}
