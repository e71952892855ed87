import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnswerCache } from '../../../../src/service/analytics/execution/answer-cache.ts';
import { StoredAnswer } from '../../../../src/service/analytics/execution/stored-answer.ts';

const NEVER = new AbortController().signal;
const PIECE = 'é'.repeat(100_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-answers-'));
});
afterAll(() => rm(folder, { recursive: true }));

function* pieces(count: number): Generator<string> {
  for (let index = 0; index < count; index++) yield PIECE;
}

async function storeAnswer(count: number): Promise<StoredAnswer> {
  const answer = await StoredAnswer.of(pieces(count), folder, NEVER);
  return answer instanceof StoredAnswer ? answer : expect.unreachable();
}

it('StoredAnswer returns a short answer as a string and a long one as a file', async () => {
  expect(await StoredAnswer.of(pieces(3), folder, NEVER)).toBe(PIECE.repeat(3));
  expect(await readdir(folder)).toEqual([]);
  const answer = await storeAnswer(33);
  const { bytes, stream } = await answer.open();
  expect(bytes).toBe(33 * 200_000);
  expect((await text(stream)) === PIECE.repeat(33)).toBe(true);
  await answer.remove();
  expect(await readdir(folder)).toEqual([]);
});

it('StoredAnswer stays readable for open streams after its removal', async () => {
  const answer = await storeAnswer(12);
  const opened = [await answer.open(), answer.open()] as const;
  await answer.remove();
  for (const { stream } of await Promise.all(opened)) expect((await text(stream)).length).toBe(1_200_000);
});

it('StoredAnswer leaves no file if writing fails or is aborted', async () => {
  const failing = function* () {
    yield* pieces(12);
    throw new Error('broken');
  };
  await expect(StoredAnswer.of(failing(), folder, NEVER)).rejects.toThrow('broken');
  const gone = new AbortController();
  const leaving = function* () {
    yield* pieces(12);
    gone.abort(new Error('gone'));
    yield PIECE;
  };
  await expect(StoredAnswer.of(leaving(), folder, gone.signal)).rejects.toThrow('gone');
  expect(await readdir(folder)).toEqual([]);
});

it('StoredAnswer is limited to 512 MiB', async () => {
  await expect(StoredAnswer.of(pieces(2_700), folder, NEVER)).rejects.toThrow('The answer has over 512 MiB');
  expect(await readdir(folder)).toEqual([]);
});

it('AnswerCache limits the total size of answers in files', async () => {
  const cache = new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 5_000_000 });
  const computed: string[] = [];
  const ask = async (key: string) => {
    const compute = () => {
      computed.push(key);
      return storeAnswer(12);
    };
    const answer = await cache.answer({ question: key, spelling: key }, compute, NEVER);
    if (typeof answer === 'string') return expect.unreachable();
    expect((await text(answer.stream)).length).toBe(1_200_000);
  };
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key);
  expect(computed).toEqual(['a', 'b', 'c', 'b']);
  await expect.poll(() => readdir(folder)).toHaveLength(2);
});
