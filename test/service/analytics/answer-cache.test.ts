import { describe, expect, it } from 'vitest';
import { AnswerCache } from '../../../src/service/analytics/answer-cache.ts';

const NEVER = new AbortController().signal;

/** Requests answers and counts how often each is computed. */
class Found {
  readonly keys: string[] = [];

  readonly ask = (cache: AnswerCache, key: string, answer = key) =>
    cache.answer(
      key,
      async () => {
        this.keys.push(key);
        return answer;
      },
      NEVER,
    );
}

describe('a cached answer', () => {
  it('is reused', async () => {
    const [cache, found] = [new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 }), new Found()];
    expect(await found.ask(cache, 'a', 'one')).toBe('one');
    expect(await found.ask(cache, 'a', 'another')).toBe('one');
    expect(found.keys).toEqual(['a']);
  });

  it('is evicted when the cache is full, least recently used first', async () => {
    const [cache, found] = [new AnswerCache({ cacheBytes: 5000, cacheFileBytes: 0 }), new Found()];
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await found.ask(cache, key, 'x'.repeat(1000));
    expect(found.keys).toEqual(['a', 'b', 'c', 'b']);
  });

  it('is not cached if larger than the cache, and evicts no others', async () => {
    const [cache, found] = [new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 }), new Found()];
    for (const key of ['a', 'large', 'a', 'large']) await found.ask(cache, key, key === 'a' ? 'a' : 'x'.repeat(1000));
    expect(found.keys).toEqual(['a', 'large', 'large']);
  });

  it('may fill the cache, at 100 bytes plus two per character', async () => {
    for (const [bytes, times] of [
      [104, 1],
      [103, 2],
    ] as const) {
      const [cache, found] = [new AnswerCache({ cacheBytes: bytes, cacheFileBytes: 0 }), new Found()];
      for (let asked = 0; asked < 2; asked++) await found.ask(cache, 'a', 'x');
      expect(found.keys).toHaveLength(times);
    }
  });

  it('is computed again after a failure', async () => {
    const cache = new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 });
    const broken = () => Promise.reject(new Error('broken'));
    for (let times = 0; times < 2; times++) await expect(cache.answer('a', broken, NEVER)).rejects.toThrow('broken');
    expect(await new Found().ask(cache, 'a')).toBe('a');
  });
});

describe('a pending answer', () => {
  function asked() {
    const cache = new AnswerCache({ cacheBytes: 1000, cacheFileBytes: 0 });
    const signals: AbortSignal[] = [];
    let settle: (answer: string) => void = () => {};
    const find = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<string>((resolve) => {
        settle = resolve;
      });
    };
    return {
      signals,
      ask: (signal = NEVER) => cache.answer('q', find, signal),
      settle: (answer: string) => settle(answer),
    };
  }

  it('is computed once for all callers', async () => {
    const { signals, ask, settle } = asked();
    const answers = [ask(), ask(), ask()];
    settle('answer');
    expect([await Promise.all(answers), signals.length]).toEqual([['answer', 'answer', 'answer'], 1]);
    expect(await ask()).toBe('answer');
  });

  it('continues until the last caller leaves', async () => {
    const { signals, ask } = asked();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [ask(one.signal), ask(other.signal)];
    one.abort(new Error('gone'));
    await expect(answers[0]).rejects.toThrow('gone');
    expect(signals[0]?.aborted).toBe(false);
    other.abort(new Error('gone too'));
    await expect(answers[1]).rejects.toThrow('gone too');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('is shared with a caller who comes just as the last one leaves', async () => {
    const { signals, ask, settle } = asked();
    const gone = new AbortController();
    const left = ask(gone.signal);
    gone.abort(new Error('gone'));
    const late = ask();
    await expect(left).rejects.toThrow('gone');
    settle('answer');
    expect([await late, signals.length, signals[0]?.aborted]).toEqual(['answer', 1, true]);
  });

  it('is restarted for a caller who comes after all have left', async () => {
    const { signals, ask, settle } = asked();
    const gone = new AbortController();
    const left = ask(gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const late = ask();
    settle('answer');
    expect([await late, signals.map(({ aborted }) => aborted)]).toEqual(['answer', [true, true]]);
  });
});
