import type { Checked } from '../check/check.ts';
import type { Facts } from '../check/facts.ts';
import { type Expression, isDatetimeCall, type Logical, type Membership } from '../language/ast.ts';
import { CONDITION, isSubset, type TypeSet } from '../language/types.ts';
import { type Properties, readProperty, typeOf, type Value } from '../language/value.ts';
import { candidates, resultTypes } from '../operators/overloads.ts';
import type { Overload, StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, PREFIX } from '../operators/table.ts';
import { condition } from '../operators/uses.ts';
import { unreachable } from '../util/unreachable.ts';

/** An expression as a function of a record; `now` in Unix seconds. */
export type Closure<Answer = Value> = (properties: Properties, user: Properties | undefined, now: number) => Answer;

/**
 * Turns a checked tree into nested functions, without `eval`. What the checker knows is settled here, once: a constant is only
 * returned, an operator has just the overloads that its operands can meet, and `and` and `or` stop early where nothing that is
 * left can fail.
 *
 * The closure throws {@link ExpressionTypeError} exactly where the interpreter does.
 */
export function toClosure(checked: Checked): Closure {
  return compile(checked.tree, checked);
}

/** The expression as a filter: judged as an operand of `and` (language, section 5). */
export function toCondition(checked: Checked): Closure<boolean> {
  const { source, tree } = checked;
  const closure = toClosure(checked);
  return (properties, user, now) => condition(closure(properties, user, now), 'where', tree.span, source);
}

/** A closure and the types that its answer can have. */
interface Typed {
  readonly closure: Closure;
  readonly types: TypeSet;
}

function compile(node: Expression, checked: Checked): Closure {
  const { constant } = factsOf(node, checked);
  if (constant) return () => constant.value;
  const typed = (child: Expression): Typed => ({
    closure: compile(child, checked),
    types: factsOf(child, checked).types,
  });
  switch (node.kind) {
    case 'literal':
      return () => node.value;
    case 'property': {
      const { name, scope } = node;
      if (scope === 'user') return (_, user) => readProperty(user, name);
      return (properties) => readProperty(properties, name);
    }
    case 'now':
      return (_properties, _user, now) => now;
    case 'call':
      return unary(FUNCTIONS[node.operator], typed(node.operand));
    case 'prefix':
      return unary(PREFIX[node.operator], typed(node.operand));
    case 'binary':
      return binary(BINARY[node.operator], typed(node.left), typed(node.right));
    case 'timeComparison': {
      const time = (side: Expression) => (isDatetimeCall(side) ? typed(side) : throughDatetime(typed(side)));
      return binary(BINARY[node.operator], time(node.left), time(node.right));
    }
    case 'membership':
      return membership(node, typed(node.operand).closure);
    case 'logical':
      return logical(node, checked);
    default:
      return unreachable(node);
  }
}

function factsOf(node: Expression, checked: Checked): Facts {
  const facts = checked.facts.get(node);
  if (facts === undefined) throw new Error('The tree has a node that was not checked');
  return facts;
}

function throughDatetime(operand: Typed): Typed {
  return { closure: unary(FUNCTIONS.datetime, operand), types: resultTypes(FUNCTIONS.datetime, [operand.types]) };
}

function unary(row: StrictRow, { closure, types }: Typed): Closure {
  const overloads = candidates(row, [types]);
  const [only] = overloads;
  if (only && isSubset(types, taken(only, 0))) {
    const answer = only.answer as (operand: Value) => Value;
    return (properties, user, now) => answer(closure(properties, user, now));
  }
  return (properties, user, now) => {
    const operand = closure(properties, user, now);
    const type = typeOf(operand);
    for (const overload of overloads) {
      if ((type & taken(overload, 0)) !== 0) return (overload.answer as (operand: Value) => Value)(operand);
    }
    return undefined;
  };
}

function binary(row: StrictRow, left: Typed, right: Typed): Closure {
  const overloads = candidates(row, [left.types, right.types]);
  const [only] = overloads;
  if (only && isSubset(left.types, taken(only, 0)) && isSubset(right.types, taken(only, 1))) {
    const answer = only.answer as (left: Value, right: Value) => Value;
    return (properties, user, now) => answer(left.closure(properties, user, now), right.closure(properties, user, now));
  }
  return (properties, user, now) => {
    const [first, second] = [left.closure(properties, user, now), right.closure(properties, user, now)];
    const [firstType, secondType] = [typeOf(first), typeOf(second)];
    for (const overload of overloads) {
      if ((firstType & taken(overload, 0)) !== 0 && (secondType & taken(overload, 1)) !== 0) {
        return (overload.answer as (left: Value, right: Value) => Value)(first, second);
      }
    }
    return undefined;
  };
}

function taken(overload: Overload, index: number): TypeSet {
  return overload.operands[index] ?? 0;
}

/** A list is never in a written list: those hold no lists. A `Set` compares the rest as `==` does. */
function membership({ items }: Membership, operand: Closure): Closure {
  const values = new Set<Value>(items.map((item) => item.value));
  return (properties, user, now) => values.has(operand(properties, user, now));
}

function logical(node: Logical, checked: Checked): Closure {
  const { operator } = node;
  const { decidedBy } = LOGICAL[operator];
  const operands = node.operands.map((operand) => ({ closure: compile(operand, checked), span: operand.span }));
  // From here on nothing can fail, so that a decision can no longer be overruled by an error.
  const settled = node.operands.findLastIndex((operand) => {
    const { fallible, types } = factsOf(operand, checked);
    return fallible || !isSubset(types, CONDITION);
  });
  return (properties, user, now) => {
    let decided = false;
    for (const [index, { closure, span }] of operands.entries()) {
      if (condition(closure(properties, user, now), operator, span, checked.source) === decidedBy) decided = true;
      if (decided && index >= settled) return decidedBy;
    }
    return decided ? decidedBy : !decidedBy;
  };
}
