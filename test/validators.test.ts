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
import { runs } from './runs.ts';

/** Validates a value as a library does. */
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
  ['createWhereValidator', createWhereValidator, compileWhere],
  ['createOnValidator', createOnValidator, compileOn],
] as const)('%s', (_, createValidator, compile) => {
  /** Returns the number of warnings of a source, undefined if it does not compile. */
  const countWarnings = (source: string) => {
    try {
      return compile(source, { schema }).diagnostics.length;
    } catch {
      return undefined;
    }
  };

  it('accepts sources that compile or, if strict, that compile without warnings', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (source) => {
        const accepted = { value: source };
        const refused = { issues: expect.arrayContaining([expect.anything()]) };
        const found = countWarnings(source);
        const strict = createValidator({ schema, strict: true });
        expect(await validate(createValidator({ schema }), source)).toEqual(found === undefined ? refused : accepted);
        expect(await validate(strict, source)).toEqual(found === 0 ? accepted : refused);
      }),
      { numRuns: runs(500) },
    );
  });

  it('refuses values that are not strings', async () => {
    const values = fc.anything().filter((value) => typeof value !== 'string');
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const found = value === null ? 'null' : typeof value;
        const message = `Expected a string with an expression, such as properties["name"] == "value", not ${found}.`;
        expect(await validate(createValidator(), value)).toEqual({ issues: [{ message }] });
      }),
    );
  });
});

describe('the issues of a validator', () => {
  it('have a message, help and a position, one for each error', async () => {
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

  it('have a fix that corrects the source', async () => {
    const source = 'properties["plan"] = "pro"';
    const { issues = [] } = await validate(createWhereValidator(), source);
    const { fix } = (issues[0] as ExpressionIssue).diagnostic ?? {};
    const fixed = fix && source.slice(0, fix.span.start) + fix.text + source.slice(fix.span.end);
    expect(await validate(createWhereValidator(), fixed)).toEqual({ value: 'properties["plan"] == "pro"' });
  });

  it('depend on the use: a number is not a filter, but a segmentation', async () => {
    expect(await validate(createWhereValidator(), '1 + 1')).toHaveProperty('issues');
    expect(await validate(createOnValidator(), '1 + 1')).toEqual({ value: '1 + 1' });
  });

  it('include warnings if strict', async () => {
    const misspelt = 'properties["paln"] == "pro"';
    expect(await validate(createWhereValidator({ schema }), misspelt)).toEqual({ value: misspelt });
    const { issues } = await validate(createWhereValidator({ schema, strict: true }), misspelt);
    expect(issues?.map(({ message }) => message)).toEqual([
      '"paln" is not a known property. Did you mean "plan"? (line 1, column 1)',
    ]);
  });

  it('report a source that exceeds a limit', async () => {
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

  it('passes a valid filter to the handler', async () => {
    const response = await post('properties["plan"] == "pro"');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ stored: 'properties["plan"] == "pro"' });
  });

  it('responds with 400, the issues and their fixes', async () => {
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

  it('passes a valid segmentation to the procedure', async () => {
    expect(await caller.segments('properties["plan"]')).toEqual(['pro']);
  });

  it('refuses an invalid segmentation with the issues, before the procedure runs', async () => {
    const error = await caller.segments('properties["plan').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCError);
    expect(error).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^This string is never closed\. .* \(line 1, column 12\)$/),
      cause: { issues: [{ diagnostic: { code: 'unclosed-string' } }] },
    });
  });

  it('refuses values that are not strings', async () => {
    // @ts-expect-error The type of the validator refuses it too.
    await expect(caller.segments(5)).rejects.toThrow('Expected a string with an expression');
  });
});
