import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CompletionItemKind, type TextEdit } from 'vscode-languageserver-protocol/node';
import { at, Editor, findItem } from './editor.ts';

const schema = {
  properties: {
    plan: { types: ['string', 'null'], values: ['free', 'pro'], description: 'What is paid for.' },
    amount: { types: ['number'] },
    $browser: { types: ['string'] },
    'a}\\b': { types: ['string'] },
  },
};

const SNIPPETS = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

let editor: Editor;
let plain: Editor;
beforeAll(async () => {
  editor = await Editor.start({ initializationOptions: { schema }, capabilities: SNIPPETS });
  plain = await Editor.start({ initializationOptions: { schema } });
});
afterAll(() => Promise.all([editor.quit(), plain.quit()]));

/** Accepts an item at the `|` and returns the text. */
async function accept(client: Editor, marked: string, label: string): Promise<string> {
  const { uri, position } = await openAt(client, marked);
  const { textEdit } = findItem(await client.completion(uri, position), label);
  return client.apply(uri, [textEdit as TextEdit]);
}

async function openAt(client: Editor, marked: string) {
  const lines = marked.slice(0, marked.indexOf('|')).split('\n');
  return { uri: await client.open(marked.replace('|', '')), position: at(lines.length - 1, lines.at(-1)?.length ?? 0) };
}

async function labels(marked: string, trigger?: string): Promise<string[]> {
  const { uri, position } = await openAt(editor, marked);
  return (await editor.completion(uri, position, trigger)).items.map(({ label }) => label);
}

describe('completion', () => {
  it('describes a property', async () => {
    const uri = await editor.open('1 == 1 and pl');
    const { items, isIncomplete } = await editor.completion(uri, at(0, 13));
    expect({ items, isIncomplete }).toEqual({
      isIncomplete: true,
      items: [
        {
          label: 'plan',
          kind: CompletionItemKind.Property,
          detail: 'string or null',
          documentation: { kind: 'markdown', value: 'What is paid for.\n\nValues: `"free"`, `"pro"`' },
          filterText: 'plplan',
          sortText: '000000',
          insertTextFormat: 2,
          textEdit: { range: { start: at(0, 11), end: at(0, 13) }, newText: 'properties["plan"]$0' },
        },
      ],
    });
  });

  it.each([
    ['properties["pl|"] == 1', 'plan', 'properties["plan"]$0 == 1'],
    ['"\u{1f600}" == 1 and\r\npl|\r\n', 'plan', '"\u{1f600}" == 1 and\r\nproperties["plan"]$0\r\n'],
    ['properties["plan"] == "|', '"pro"', 'properties["plan"] == "pro"$0'],
    ['flo|', 'floor', 'floor($0)'],
    ['prop|', 'properties', 'properties["$0"]'],
    ['bro|', '$browser', 'properties["\\$browser"]$0'],
    ['a|', 'a}\\b', 'properties["a\\}\\\\\\\\b"]$0'],
  ])('accepts %s %s', async (marked, label, expected) => {
    expect(await accept(editor, marked, label)).toBe(expected);
  });

  it('inserts up to the cursor if the client has no snippets', async () => {
    expect(await accept(plain, '1 < flo|', 'floor')).toBe('1 < floor(');
    expect(await accept(plain, 'prop|', 'properties')).toBe('properties["');
    expect(await accept(plain, 'bro|', '$browser')).toBe('properties["$browser"]');
  });

  it('edits the document', async () => {
    const uri = await plain.open('properties["plan"] == "" and properties["amuont"] > 1');
    expect(await plain.diagnostics(uri)).toMatchObject([{ code: 'unknown-value' }, { code: 'unknown-property' }]);
    for (const [character, label] of [
      [23, '"pro"'],
      [44, 'amount'],
    ] as const) {
      const { textEdit } = findItem(await plain.completion(uri, at(0, character)), label);
      await plain.apply(uri, [textEdit as TextEdit]);
    }
    expect(plain.text(uri)).toBe('properties["plan"] == "pro" and properties["amount"] > 1');
    expect(await plain.diagnostics(uri)).toEqual([]);
  });

  it('opens after a space only where a value is missing', async () => {
    expect((await labels('properties["plan"] == |', ' ')).slice(0, 2)).toEqual(['"free"', '"pro"']);
    expect(await labels('properties["plan"] == "pro" |', ' ')).toEqual([]);
    expect((await labels('properties["plan"] == "pro" |')).slice(0, 2)).toEqual(['and', 'or']);
  });

  it('keeps the order of complete()', async () => {
    const { uri, position } = await openAt(editor, 'properties["plan"] == |');
    const { items } = await editor.completion(uri, position);
    expect(items.length).toBeGreaterThan(10);
    expect(items.map(({ sortText = '' }) => sortText).toSorted()).toEqual(items.map(({ sortText }) => sortText));
  });
});

describe('hover', () => {
  it('shows an expression, its types and its documentation', async () => {
    const uri = await editor.open('number(\r\n properties["amount"]) > 1 and "\u{1f600}" in properties["plan"]');
    expect(await editor.hover(uri, at(1, 50))).toEqual({
      contents: {
        kind: 'markdown',
        value:
          '```onwhere\nproperties["plan"]\n```\n\nstring or null or undefined\n\nWhat is paid for.\n\nValues: `"free"`, `"pro"`',
      },
      range: { start: at(1, 39), end: at(1, 57) },
    });
    const call = await editor.hover(uri, at(0, 2));
    expect(call).toMatchObject({ range: { start: at(0, 0), end: at(1, 22) } });
    expect(JSON.stringify(call)).toContain('```onwhere\\nnumber(properties[\\"amount\\"])\\n```');
    expect(await editor.hover(uri, at(1, 22))).toMatchObject({ range: { start: at(0, 0), end: at(1, 26) } });
  });

  it('returns nothing outside of an expression and after a syntax error', async () => {
    expect(await editor.hover(await editor.open(' 1 '), at(0, 0))).toBeNull();
    expect(await editor.hover(await editor.open('1 +'), at(0, 0))).toBeNull();
  });
});
