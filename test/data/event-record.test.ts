import { describe, expect, it } from 'vitest';
import { toEventRecord } from '../../src/data/event-record.ts';

describe('toEventRecord', () => {
  const text = () => '';

  it('reads an event', () => {
    const inner = { distinct_id: 'u1', time: 1291191960, plan: 'pro' };
    const whole = { event: 'purchase', properties: inner };
    expect(toEventRecord(whole, text, 7)).toEqual({
      text,
      properties: inner,
      whole,
      user: undefined,
      event: 'purchase',
      distinctId: 'u1',
      time: 1291191960,
      line: 7,
    });
  });

  it('reads a person and uses its properties also as those of the user', () => {
    const profile = { plan: 'pro', time: 1 };
    const record = toEventRecord({ $distinct_id: 'u1', $properties: profile }, text, 1);
    expect(record).toMatchObject({ distinctId: 'u1', event: undefined, time: undefined });
    expect(record?.properties).toBe(profile);
    expect(record?.user).toBe(profile);
  });

  it('reads any other object as a flat record', () => {
    const flat = { event: 'visit', distinct_id: 12, time: 1, properties: ['a'], $properties: null };
    const record = toEventRecord(flat, text, 1);
    expect(record).toMatchObject({ event: 'visit', distinctId: '12', time: 1, user: undefined });
    expect(record?.properties).toBe(flat);
    expect(toEventRecord({ $distinct_id: 'u1' }, text, 1)?.distinctId).toBe('u1');
  });

  it('converts a numeric id to a decimal string and ignores other types', () => {
    const idOf = (distinct_id: unknown) => toEventRecord({ distinct_id }, text, 1)?.distinctId;
    expect([1e21, 0.5, '', true, null, ['a'], {}].map(idOf)).toEqual([
      '1000000000000000000000',
      '0.5',
      '',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads large times as milliseconds', () => {
    const timeOf = (time: unknown) => toEventRecord({ time }, text, 1)?.time;
    expect([4294967295, 4294967296, 1291191960999, Number.POSITIVE_INFINITY, '1291191960'].map(timeOf)).toEqual([
      4294967295,
      4294967,
      1291191960,
      undefined,
      undefined,
    ]);
  });

  it('ignores times that `datetime` does not accept, and times after 2105', () => {
    const timeOf = (time: unknown) => toEventRecord({ time }, text, 1)?.time;
    expect([-1, 0, 0.5, 1, 4294967295999, 4294967296000, Number.NaN].map(timeOf)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
      4294967295,
      undefined,
      undefined,
    ]);
  });

  it('reads only own properties', () => {
    const inherited = Object.create({ event: 'a', distinct_id: 'b', time: 1, properties: {}, $properties: {} });
    expect(toEventRecord(inherited, text, 1)).toMatchObject({
      event: undefined,
      distinctId: undefined,
      time: undefined,
    });
    const hidden = toEventRecord(JSON.parse('{"__proto__": {"event": "a", "properties": {}}}'), text, 1);
    expect(hidden?.event).toBeUndefined();
    expect(Object.keys(hidden?.properties ?? {})).toEqual(['__proto__']);
  });

  it.each([[null], [1], ['text'], [true], [[]], [[{}]]])('does not accept %j as a record', (json) => {
    expect(toEventRecord(json, text, 1)).toBeUndefined();
  });

  it.each([
    [{ distinct_id: 'a', $distinct_id: 'b' }, 'a'],
    [{ $distinct_id: 'b' }, 'b'],
    [{ distinct_id: null, $distinct_id: 'b' }, 'b'],
    [{ distinct_id: '', $distinct_id: 'b' }, ''],
  ])('reads the id of the flat record %j as %j', (json, id) => {
    expect(toEventRecord(json, text, 1)?.distinctId).toBe(id);
  });
});
