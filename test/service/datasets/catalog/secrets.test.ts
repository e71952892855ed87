import { describe, expect, it } from 'vitest';
import { areEqualHashes, hashSecret, makeSecret } from '../../../../src/service/datasets/catalog/secrets.ts';

describe('secrets', () => {
  it('are unique strings of 32 hexadecimal digits', () => {
    const secrets = Array.from({ length: 1000 }, makeSecret);
    expect(new Set(secrets).size).toBe(1000);
    expect(secrets.filter((secret) => !/^[0-9a-f]{32}$/.test(secret))).toEqual([]);
  });

  it('are recognized by their hashes', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const [one, other] = [makeSecret(), makeSecret()];
    const isKnown = (presented: string) => areEqualHashes(hashSecret(presented), hashSecret(one));
    expect([one, other, '', `${one} `, hashSecret(one)].map(isKnown)).toEqual([true, false, false, false, false]);
  });
});
