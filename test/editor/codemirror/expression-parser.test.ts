import { getIndentation, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionParser, NODES } from '../../../src/editor/codemirror/expression-parser.ts';
import { onwhereLanguage } from '../../../src/editor/codemirror/onwhere-language.ts';
import { highlight } from '../../../src/editor/highlight.ts';
import { garbage, texts } from '../../garbage.ts';

const parser = new ExpressionParser(NODES);

/** Returns the leaves of a tree in the format of `highlight`. */
function leavesOf(tree: Tree, source: string) {
  const leaves: { kind: string; span: { start: number; end: number } }[] = [];
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      if (node.firstChild !== null || node.type.isTop) return;
      const isBracket = source.slice(from, to) === name;
      leaves.push({ kind: isBracket ? 'bracket' : name, span: { start: from, end: to } });
    },
  });
  return leaves;
}

describe('ExpressionParser', () => {
  it('has the highlights as leaves', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const tree = parser.parse(source);
        expect(tree.length).toBe(source.length);
        expect(leavesOf(tree, source)).toEqual(highlight(source));
      }),
    );
  });

  it('groups matching brackets', () => {
    expect(String(parser.parse('(1 + [2)] ()'))).toBe(
      'Expression("(",number,operator,Brackets("[",number,")","]"),Parentheses("(",")"))',
    );
  });

  it('survives the deepest brackets of a source', () => {
    const source = '('.repeat(32_768) + ')'.repeat(32_768);
    expect(leavesOf(parser.parse(source), source)).toHaveLength(65_536);
  });

  it('parses a range of a larger document', () => {
    const tree = parser.parse('where: 1 + 2;', [], [{ from: 7, to: 12 }]);
    expect(leavesOf(tree, '1 + 2').map(({ span }) => span)).toEqual([
      { start: 0, end: 1 },
      { start: 2, end: 3 },
      { start: 4, end: 5 },
    ]);
  });
});

describe('ExpressionParser in an editor', () => {
  const stateOf = (doc: string) => EditorState.create({ doc, extensions: [onwhereLanguage.extension] });

  it('matches a fresh parse after any change', () => {
    const changes = fc.array(fc.record({ at: fc.nat(), length: fc.nat(3), insert: garbage }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, changes, (source, edits) => {
        let state = stateOf(source);
        for (const { at, length, insert } of edits) {
          const from = at % (state.doc.length + 1);
          const to = Math.min(from + length, state.doc.length);
          state = state.update({ changes: { from, to, insert } }).state;
        }
        const text = state.doc.toString();
        expect(leavesOf(syntaxTree(state), text)).toEqual(highlight(text));
      }),
    );
  });

  it('indents lines in brackets like the formatter', () => {
    const state = stateOf('true\nand (\n1 in [\n2\n]\n)');
    const lines = [2, 3, 4, 5, 6].map((line) => getIndentation(state, state.doc.line(line).from));
    expect(lines).toEqual([0, 2, 2, 0, 0]);
  });
});
