import fc from 'fast-check';
import { translateMongoDb } from '../../../../src/lang/foreign/translate.ts';
import { loadPeer } from '../../../load-peer.ts';
import { drawRecords, hasNoList, hasNoNull, LITERALS, NAMES, type Original } from './original.ts';

const { default: sift } = await loadPeer<{ default: (query: object) => (record: object) => boolean }>('sift');

const name = fc.constantFrom(...NAMES);
const literal = fc.constantFrom(...LITERALS, null);
const apply = (names: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...names), operand).map(([operator, value]) => ({ [operator]: value }));

const { query } = fc.letrec<{ query: unknown; test: unknown }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 2 },
    literal,
    apply(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'], literal),
    apply(['$in', '$nin'], fc.array(literal, { maxLength: 3 })),
    apply(['$exists'], fc.boolean()),
    apply(['$regex'], fc.constantFrom('^pr', 'ro', '5', 'r.')),
    fc.tuple(apply(['$gt', '$gte', '$ne'], literal), apply(['$lt', '$nin'], literal)).map(([a, b]) => ({ ...a, ...b })),
    apply(['$not'], apply(['$gt', '$lte', '$eq', '$ne', '$in', '$exists'], fc.oneof(literal, fc.array(literal)))),
  ),
  query: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: fc.dictionary(name, tie('test'), { minKeys: 1, maxKeys: 2 }) },
    { weight: 1, arbitrary: apply(['$and', '$or', '$nor'], fc.array(tie('query'), { maxLength: 3 })) },
  ),
}));

/** Queries of MongoDB, run by sift. */
export const MONGODB: Original = {
  language: 'MongoDB',
  filters: query.map((value) => JSON.stringify(value)),
  translate: translateMongoDb,
  records: drawRecords(true),
  assumptions: [
    [/single values/, hasNoList],
    [/^\$exists/, hasNoNull],
  ],
  read(source) {
    try {
      return sift(JSON.parse(source));
    } catch {
      return undefined;
    }
  },
};
