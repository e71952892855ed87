import { sValidator } from '@hono/standard-validator';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { initTRPC, TRPCError } from '@trpc/server';
import fc from 'fast-check';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  compileOn,
  compileWhere,
  createOnValidator,
  createWhereValidator,
  type ExpressionIssue,
} from '../src/api/index.ts';
import { sources } from './arbitraries.ts';

/** What a validator says, as a library asks it. */
async function validate(validator: StandardSchemaV1<string>, value: unknown): Promise<StandardSchemaV1.Result<string>> {
  return validator['~standard'].validate(value);
}

const texts = fc.oneof(
  sources.map(({ source }) => source),
  sources.map(({ source }) => source.slice(1)),
  fc.string(),
);

const schema = { properties: { plan: { types: ['string'] }, amount: { types: ['number'] } } } as const;

describe.each([
  ['whereValidator', createWhereValidator, compileWhere],
  ['onValidator', createOnValidator, compileOn],
] as const)('%s', (_, validator, compile) => {
  /** The warnings of a text that compiles; undefined for one that does not. */
  const warnings = (source: string) => {
    try {
      return compile(source, { schema }).diagnostics.length;
    } catch {
      return undefined;
    }
  };

  it('takes what compiles, unchanged; strictly, what compiles without a warning', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (source) => {
        const accepted = { value: source };
        const refused = { issues: expect.arrayContaining([expect.anything()]) };
        const found = warnings(source);
        expect(await validate(validator({ schema }), source)).toEqual(found === undefined ? refused : accepted);
        expect(await validate(validator({ schema, strict: true }), source)).toEqual(found === 0 ? accepted : refused);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses what is no text, in words', async () => {
    const values = fc.anything().filter((value) => typeof value !== 'string');
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const found = value === null ? 'null' : typeof value;
        const message = `Expected a string with an expression, such as properties["name"] == "value", not ${found}.`;
        expect(await validate(validator(), value)).toEqual({ issues: [{ message }] });
      }),
    );
  });
});

describe('issues', () => {
  it('say what is wrong, what to do and where, one for each mistake', async () => {
    expect(await validate(createWhereValidator(), 'properties["plan"] = "pro"')).toEqual({
      issues: [
        {
          message: '`=` is not an operator. Write `==`. (line 1, column 20)',
          diagnostic: expect.objectContaining({
            code: 'single-equals',
            fix: { span: { start: 19, end: 20 }, text: '==' },
          }),
        },
      ],
    });
    const { issues = [] } = await validate(createWhereValidator(), 'true and\n"yes" and 5');
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^`and` takes booleans; this is a string\. Compare .* \(line 2, column 1\)$/),
      expect.stringMatching(/^`and` takes booleans; this is a number\. Compare .* \(line 2, column 11\)$/),
    ]);
  });

  it('mend the text where they have a fix', async () => {
    const source = 'properties["plan"] = "pro"';
    const { issues = [] } = await validate(createWhereValidator(), source);
    const { fix } = (issues[0] as ExpressionIssue).diagnostic ?? {};
    const mended = fix && source.slice(0, fix.span.start) + fix.text + source.slice(fix.span.end);
    expect(await validate(createWhereValidator(), mended)).toEqual({ value: 'properties["plan"] == "pro"' });
  });

  it('are of the use: a number is no filter, but a segmentation', async () => {
    expect(await validate(createWhereValidator(), '1 + 1')).toHaveProperty('issues');
    expect(await validate(createOnValidator(), '1 + 1')).toEqual({ value: '1 + 1' });
  });

  it('are warnings too where that is asked for', async () => {
    const misspelt = 'properties["paln"] == "pro"';
    expect(await validate(createWhereValidator({ schema }), misspelt)).toEqual({ value: misspelt });
    const { issues } = await validate(createWhereValidator({ schema, strict: true }), misspelt);
    expect(issues?.map(({ message }) => message)).toEqual([
      '"paln" is not a known property. Did you mean "plan"? (line 1, column 1)',
    ]);
  });

  it('keep to the limits', async () => {
    const { issues } = await validate(createWhereValidator({ limits: { length: 10 } }), 'properties["plan"] == "pro"');
    expect(issues?.map(({ message }) => message)).toEqual([expect.stringContaining('the limit is 10.')]);
  });
});

describe('Hono', () => {
  const app = new Hono().post('/filters', sValidator('json', createWhereValidator()), (context) => {
    const source: string = context.req.valid('json');
    return context.json({ stored: source });
  });

  const post = (body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    return app.request('/filters', { method: 'POST', headers, body: JSON.stringify(body) });
  };

  it('passes a filter on', async () => {
    const response = await post('properties["plan"] == "pro"');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ stored: 'properties["plan"] == "pro"' });
  });

  it('answers 400 with the issues, with which a form can offer the fix', async () => {
    const response = await post('properties["plan"] = "pro"');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      success: false,
      error: [
        {
          message: '`=` is not an operator. Write `==`. (line 1, column 20)',
          diagnostic: { code: 'single-equals', fix: { text: '==' } },
        },
      ],
    });
    expect((await post({ where: 'true' })).status).toBe(400);
  });
});

describe('tRPC', () => {
  const { router, procedure, createCallerFactory } = initTRPC.create();
  const caller = createCallerFactory(
    router({ segments: procedure.input(createOnValidator()).query(({ input }) => compileOn(input)({ plan: 'pro' })) }),
  )({});

  it('gives a procedure the segmentation', async () => {
    expect(await caller.segments('properties["plan"]')).toEqual(['pro']);
  });

  it('refuses what is none before the procedure runs, with the issues', async () => {
    const error = await caller.segments('properties["plan').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCError);
    expect(error).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^This string is never closed\. .* \(line 1, column 12\)$/),
      cause: { issues: [{ diagnostic: { code: 'unclosed-string' } }] },
    });
  });

  it('refuses what is no text', async () => {
    // @ts-expect-error The types of the validator say so before anything runs.
    await expect(caller.segments(5)).rejects.toThrow('Expected a string with an expression');
  });
});
