import { check } from '../../api/expressions.ts';
import type { FormCondition, FormOperator } from '../../lang/form/form.ts';
import { parse } from '../../lang/syntax/parse.ts';
import { type CountedValue, type PropertyCatalog, type PropertyScope, toKnownValue } from './property-catalog.ts';

/** The opposites of the operators of conditions on values. */
const OPPOSITES: { readonly [Operator in FormOperator]?: FormOperator } = {
  '==': '!=',
  contains: 'not contains',
  'not defined': 'defined',
};

/** Returns the condition that selects a value. */
export function createValueCondition(scope: PropertyScope, property: string, counted: CountedValue): FormCondition {
  const subject = { kind: 'condition', scope, property } as const;
  if (counted.type === 'null') return { ...subject, operator: 'not defined' };
  const value = toKnownValue(counted);
  return value === undefined
    ? { ...subject, operator: 'contains', value: counted.value }
    : { ...subject, operator: '==', value };
}

/** Returns the property that a grouping is, if it is one: then its segments are values. */
export function readGroupedProperty(on: string): { readonly scope: PropertyScope; readonly name: string } | undefined {
  if (on.trim() === '' || check(on).types.length === 0) return undefined;
  const tree = parse(on);
  return tree.kind === 'property'
    ? { scope: tree.scope === 'user' ? 'user' : 'properties', name: tree.name }
    : undefined;
}

/** Returns the name of the property that an expression is, or that it reads as a number; undefined for others. */
export function readPropertyName(source: string): string | undefined {
  if (source.trim() === '' || check(source).types.length === 0) return undefined;
  const tree = parse(source);
  const property = tree.kind === 'call' && tree.operator === 'number' ? tree.operand : tree;
  return property.kind === 'property' ? property.name : undefined;
}

/**
 * Returns the condition that selects a segment of a grouping, or all others. Returns undefined if it is not known which
 * value the name of the segment stands for.
 */
export async function findSegmentCondition(
  catalog: PropertyCatalog,
  on: string,
  segment: string,
  excluded: boolean,
): Promise<FormCondition | undefined> {
  const grouped = readGroupedProperty(on);
  if (grouped === undefined) return undefined;
  const values = await catalog.getValues(grouped.scope, grouped.name);
  const [found, another] = values.filter(({ value }) => value === segment);
  if (found === undefined || another !== undefined) return undefined;
  const condition = createValueCondition(grouped.scope, grouped.name, found);
  return excluded ? { ...condition, operator: OPPOSITES[condition.operator] ?? condition.operator } : condition;
}
