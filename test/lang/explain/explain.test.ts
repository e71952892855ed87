import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type Explained, ExpressionSyntaxError, explain, parse } from '../../../src/api/index.ts';
import { getChildren } from '../../../src/lang/ast.ts';
import { sources } from '../../arbitraries.ts';

const SCHEMA = { properties: { plan: { types: ['string'] }, amount: { types: ['number'] } } } as const;

/** `plan == "pro": boolean`, two spaces deeper for what is below. */
function outline({ code, types, children }: Explained, margin = ''): string[] {
  return [`${margin}${code}: ${types.join(' ')}`, ...children.flatMap((child) => outline(child, `${margin}  `))];
}

describe('explain', () => {
  it('says the types of every node', () => {
    const { tree } = explain('NOT (Properties["plan"]) in ["pro"] or -properties["amount"] > 5', { schema: SCHEMA });
    expect(outline(tree)).toEqual([
      'not properties["plan"] in ["pro"] or -properties["amount"] > 5: boolean',
      '  not properties["plan"] in ["pro"]: boolean',
      '    properties["plan"] in ["pro"]: boolean',
      '      properties["plan"]: string undefined',
      '      "pro": string',
      '  -properties["amount"] > 5: boolean undefined',
      '    -properties["amount"]: number undefined',
      '      properties["amount"]: number undefined',
      '    5: number',
    ]);
  });

  it('says what a node is', () => {
    const { tree } = explain('event["a"] + 2 * 3');
    expect(tree).toMatchObject({ kind: 'binary', operator: '+', span: { start: 0, end: 18 } });
    expect(tree.children).toMatchObject([
      { kind: 'property', property: { scope: 'properties', name: 'a' }, children: [] },
      { kind: 'binary', operator: '*', constant: { value: 6 } },
    ]);
    expect(tree.constant).toBeUndefined();
    expect(explain('1 / 0').tree.constant).toEqual({ value: undefined });
  });

  it('says what is read, and what cannot have been meant', () => {
    const source = 'user["a"] == event["b"] and properties["b"] == 5 == 6';
    const { properties, diagnostics } = explain(source, { use: 'where', schema: SCHEMA });
    const checked = check(source, { use: 'where', schema: SCHEMA });
    expect({ properties, diagnostics }).toEqual({ properties: checked.properties, diagnostics: checked.diagnostics });
    expect(diagnostics.map(({ code }) => code)).toContain('chained-comparison');
  });

  it('explains what fails on every record, but no text that is no expression', () => {
    expect(explain('5 and true')).toMatchObject({ diagnostics: [{ code: 'operand-type' }], tree: { operator: 'and' } });
    expect(() => explain('5 &&')).toThrow(ExpressionSyntaxError);
  });

  it('has a node for each of the tree, with its place, and is plain data', () => {
    fc.assert(
      fc.property(sources, ({ source }) => {
        const tree = parse(source);
        const same = (explained: Explained, node: ReturnType<typeof parse>): void => {
          expect([explained.kind, explained.span]).toEqual([node.kind, node.span]);
          expect(explained.children).toHaveLength(getChildren(node).length);
          for (const [index, child] of getChildren(node).entries()) same(explained.children[index] as Explained, child);
          expect(explain(explained.code).tree.code).toBe(explained.code);
        };
        const explanation = explain(source);
        same(explanation.tree, tree);
        expect(JSON.parse(JSON.stringify(explanation)).cost).toEqual(explanation.cost);
      }),
      { numRuns: 300 },
    );
  });
});
