import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type Explained, ExpressionSyntaxError, explain, parse } from '../../../src/api/index.ts';
import { getChildren } from '../../../src/lang/ast.ts';
import { sources } from '../../arbitraries.ts';
import { runs } from '../../runs.ts';

const SCHEMA = { properties: { plan: { types: ['string'] }, amount: { types: ['number'] } } } as const;

/** Lists the nodes of a tree as `plan == "pro": boolean`, indented by depth. */
function outline({ code, types, children }: Explained, margin = ''): string[] {
  return [`${margin}${code}: ${types.join(' ')}`, ...children.flatMap((child) => outline(child, `${margin}  `))];
}

describe('explain', () => {
  it('returns the types of every node', () => {
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

  it('returns the kind, operator, property and constant of a node', () => {
    const { tree } = explain('event["a"] + 2 * 3');
    expect(tree).toMatchObject({ kind: 'binary', operator: '+', span: { start: 0, end: 18 } });
    expect(tree.children).toMatchObject([
      { kind: 'property', property: { scope: 'properties', name: 'a' }, children: [] },
      { kind: 'binary', operator: '*', constant: { value: 6 } },
    ]);
    expect(tree.constant).toBeUndefined();
    expect(explain('1 / 0').tree.constant).toEqual({ value: undefined });
  });

  it('returns the properties and the diagnostics of check', () => {
    const source = 'user["a"] == event["b"] and properties["b"] == 5 == 6';
    const { properties, diagnostics } = explain(source, { use: 'where', schema: SCHEMA });
    const checked = check(source, { use: 'where', schema: SCHEMA });
    expect({ properties, diagnostics }).toEqual({ properties: checked.properties, diagnostics: checked.diagnostics });
    expect(diagnostics.map(({ code }) => code)).toContain('chained-comparison');
  });

  it('explains an expression that fails on every record, but throws for a syntax error', () => {
    expect(explain('5 and true')).toMatchObject({ diagnostics: [{ code: 'operand-type' }], tree: { operator: 'and' } });
    expect(() => explain('5 &&')).toThrow(ExpressionSyntaxError);
  });

  it('returns plain data with a node for each node of the tree', () => {
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
      { numRuns: runs(300) },
    );
  });
});
