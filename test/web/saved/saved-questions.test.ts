import { array, assert, json, property, record, string } from 'fast-check';
import { expect, it } from 'vitest';
import { formatBoardLink, parseBoardLink, parseQuestions } from '../../../src/web/saved/saved-questions.ts';
import { codePoint } from '../../code-point.ts';

const text = string({ maxLength: 20, unit: codePoint });
const question = record({
  name: text,
  link: text.map((value) => String(new URLSearchParams({ query: 'funnels', on: value }))),
});

it('the questions of a board survive a round trip through its link', () => {
  assert(
    property(array(question, { maxLength: 5 }), (questions) => {
      expect(parseBoardLink(`#${formatBoardLink(questions)}`)).toEqual(questions);
    }),
  );
});

it('a file that has other things is refused as a whole', () => {
  const saved = { name: 'a', link: 'query=funnels' };
  for (const wrong of [{}, null, [null], [{ ...saved, name: 1 }], [saved, { name: 'b' }], [{ ...saved, link: 'x=1' }]])
    expect(parseQuestions(JSON.stringify(wrong))).toBeUndefined();
  expect(parseQuestions(JSON.stringify(Array.from({ length: 101 }, () => saved)))).toBeUndefined();
  assert(
    property(json(), (text) => {
      expect([undefined, []]).toContainEqual(parseQuestions(text));
    }),
  );
});

it('other links have no board, and a broken one is empty', () => {
  expect(parseBoardLink('#query=funnels')).toBeUndefined();
  expect(parseBoardLink('#board=%5B')).toEqual([]);
});
