import { describe, expect, it } from 'vitest';
import { AnswerCache, type AnswerKey } from '../../../../src/service/analytics/execution/answer-cache.ts';

const NEVER = new AbortController().signal;

function keyOf(question: string, spelling = question): AnswerKey {
  return { question, spelling };
}

/** Requests answers and records each computation. */
class Requests {
  /** The keys whose answers were computed, in order. */
  readonly computed: string[] = [];

  readonly ask = (cache: AnswerCache, key: string, answer = key) =>
    cache.answer(
      keyOf(key),
      async () => {
        this.computed.push(key);
        return answer;
      },
      NEVER,
    );
}

describe('AnswerCache', () => {
  it('reuses an answer', async () => {
    const [cache, requests] = [new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 }), new Requests()];
    expect(await requests.ask(cache, 'a', 'one')).toBe('one');
    expect(await requests.ask(cache, 'a', 'another')).toBe('one');
    expect(requests.computed).toEqual(['a']);
  });

  it('evicts the least recently used answer when it is full', async () => {
    const [cache, requests] = [new AnswerCache({ cacheBytes: 5000, cacheFileBytes: 0 }), new Requests()];
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await requests.ask(cache, key, 'x'.repeat(1000));
    expect(requests.computed).toEqual(['a', 'b', 'c', 'b']);
  });

  it('evicts nothing for an answer larger than the cache', async () => {
    const [cache, requests] = [new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 }), new Requests()];
    for (const key of ['a', 'large', 'a', 'large'])
      await requests.ask(cache, key, key === 'a' ? 'a' : 'x'.repeat(1000));
    expect(requests.computed).toEqual(['a', 'large', 'large']);
  });

  it('counts an answer as 100 bytes plus two per character', async () => {
    for (const [bytes, times] of [
      [104, 1],
      [103, 2],
    ] as const) {
      const [cache, requests] = [new AnswerCache({ cacheBytes: bytes, cacheFileBytes: 0 }), new Requests()];
      for (let times = 0; times < 2; times++) await requests.ask(cache, 'a', 'x');
      expect(requests.computed).toHaveLength(times);
    }
  });

  it('reuses the answer of another spelling, but not its error', async () => {
    const cache = new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 });
    const [one, other] = ['a == 1', '1 == a'].map((spelling) => keyOf('a', spelling)) as [AnswerKey, AnswerKey];
    const fail = async (message: string) => Promise.reject(new Error(message));
    const failed = [
      cache.answer(one, () => fail('column 1'), NEVER),
      cache.answer(other, () => fail('column 6'), NEVER),
    ];
    await expect(failed[0]).rejects.toThrow('column 1');
    await expect(failed[1]).rejects.toThrow('column 6');
    expect(await cache.answer(one, async () => 'answer', NEVER)).toBe('answer');
    expect(await cache.answer(other, () => fail('computed again'), NEVER)).toBe('answer');
    expect([cache.hits, cache.misses]).toEqual([1, 3]);
  });

  it('computes an answer again after a failure', async () => {
    const cache = new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 });
    const broken = () => Promise.reject(new Error('broken'));
    for (let times = 0; times < 2; times++)
      await expect(cache.answer(keyOf('a'), broken, NEVER)).rejects.toThrow('broken');
    expect(await new Requests().ask(cache, 'a')).toBe('a');
  });
});

describe('a pending answer', () => {
  function createPending() {
    const cache = new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 });
    const signals: AbortSignal[] = [];
    let settle: (answer: string) => void = () => {};
    const compute = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<string>((resolve) => {
        settle = resolve;
      });
    };
    return {
      signals,
      ask: (signal = NEVER) => cache.answer(keyOf('q'), compute, signal),
      settle: (answer: string) => settle(answer),
    };
  }

  it('is computed once for all callers', async () => {
    const { signals, ask, settle } = createPending();
    const answers = [ask(), ask(), ask()];
    settle('answer');
    expect([await Promise.all(answers), signals.length]).toEqual([['answer', 'answer', 'answer'], 1]);
    expect(await ask()).toBe('answer');
  });

  it('is aborted when the last caller leaves', async () => {
    const { signals, ask } = createPending();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [ask(one.signal), ask(other.signal)];
    one.abort(new Error('gone'));
    await expect(answers[0]).rejects.toThrow('gone');
    expect(signals[0]?.aborted).toBe(false);
    other.abort(new Error('gone too'));
    await expect(answers[1]).rejects.toThrow('gone too');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('is shared with a caller who arrives just as the last one leaves', async () => {
    const { signals, ask, settle } = createPending();
    const gone = new AbortController();
    const left = ask(gone.signal);
    gone.abort(new Error('gone'));
    const late = ask();
    await expect(left).rejects.toThrow('gone');
    settle('answer');
    expect([await late, signals.length, signals[0]?.aborted]).toEqual(['answer', 1, true]);
  });

  it('is restarted for a caller who arrives after all have left', async () => {
    const { signals, ask, settle } = createPending();
    const gone = new AbortController();
    const left = ask(gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const late = ask();
    settle('answer');
    expect([await late, signals.map(({ aborted }) => aborted)]).toEqual(['answer', [true, true]]);
  });
});
