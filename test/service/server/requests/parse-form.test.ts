import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseForm } from '../../../../src/service/server/requests/parse-form.ts';
import { codePoint } from '../../../code-point.ts';

const names = fc.uniqueArray(fc.string({ unit: codePoint }), { maxLength: 8 });

describe('parseForm', () => {
  it('returns the fields that were encoded', () => {
    const fields = names.chain((all) =>
      fc.tuple(...all.map((name) => fc.tuple(fc.constant(name), fc.string({ unit: codePoint })))),
    );
    fc.assert(
      fc.property(fields, (written) => {
        const body = Buffer.from(new URLSearchParams(written).toString());
        expect([...parseForm(body)]).toEqual(written);
      }),
    );
  });

  it('parses valid forms like URLSearchParams', () => {
    const piece = fc.constantFrom('a', '=', '&', '+', '%2B', '%26', '%41', '%c3%a9', 'é', ' ');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const standard = [...new URLSearchParams(text)];
        fc.pre(new Set(standard.map(([name]) => name)).size === standard.length);
        expect([...parseForm(Buffer.from(text))]).toEqual(standard);
      }),
    );
  });

  it.each(['%', 'a=%', 'a=%4', 'a=%4&b', 'a=%zz', 'a=%4g', '%e9=1', 'a=\u0000%ff'])('rejects %j', (text) => {
    expect(() => parseForm(Buffer.from(text))).toThrow(/hexadecimal|UTF-8/);
  });

  it('parses long values of escapes and plus signs', () => {
    for (const unit of ['%41', '+', '%41a', 'a+']) {
      const text = unit.repeat(250_000);
      expect([...parseForm(Buffer.from(`x=${text}`))]).toEqual([...new URLSearchParams(`x=${text}`)]);
    }
  });
});
