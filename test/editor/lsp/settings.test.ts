import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientCapabilities,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticRequest,
} from 'vscode-languageserver-protocol/node';
import { Editor, type EditorOptions } from './editor.ts';

let folder = '';
let editor: Editor;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere lsp é '));
});
afterEach(async () => {
  try {
    expect(await editor.quit()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function start(options: EditorOptions): Promise<void> {
  editor = await Editor.start({ root: pathToFileURL(folder).href, ...options });
}

function createSchema(...names: readonly string[]): object {
  return { properties: Object.fromEntries(names.map((name) => [name, { types: ['string'] }])) };
}

/** Writes a file atomically, so that the server reads the old or the new content. */
function writeSchema(file: string, schema: unknown): void {
  writeFileSync(join(folder, 'new'), typeof schema === 'string' ? schema : JSON.stringify(schema));
  renameSync(join(folder, 'new'), join(folder, file));
}

/** Waits until the document has these diagnostics; others may come first. */
async function untilCodes(uri: string, ...codes: readonly string[]): Promise<void> {
  await editor.until(
    () => JSON.stringify(editor.lastDiagnostics(uri)?.map(({ code }) => code)) === JSON.stringify(codes),
  );
}

const PLAN = 'properties["plan"]';

it('reads dates in the time zone of the settings', async () => {
  await start({ initializationOptions: { timeZone: 'Europe/Berlin' } });
  const uri = await editor.open('1 / (datetime("2025-06-01") - datetime("2025-05-31T22:00:00Z"))');
  expect(await editor.diagnostics(uri)).toMatchObject([{ code: 'no-value' }]);
});

describe('the setting `use`', () => {
  it('accepts any value by default', async () => {
    await start({});
    expect(await editor.diagnostics(await editor.open('5'))).toEqual([]);
  });

  it('is checked for each expression', async () => {
    await start({ initializationOptions: { use: 'where' } });
    expect(await editor.diagnostics(await editor.open('5'))).toMatchObject([{ code: 'filter-type' }]);
  });
});

describe('the setting `schema`', () => {
  it('can be an object', async () => {
    await start({ initializationOptions: { schema: createSchema('plans') } });
    const [found] = await editor.diagnostics(await editor.open(PLAN));
    expect(found).toMatchObject({
      code: 'unknown-property',
      message: expect.stringContaining('Did you mean "plans"?'),
    });
  });

  it('is read from a file, and again when a document is saved', async () => {
    mkdirSync(join(folder, 'schemas'));
    writeSchema('schemas/shop.json', createSchema('plans'));
    await start({ initializationOptions: { schema: 'schemas/shop.json' } });
    const uri = await editor.open(PLAN);
    await untilCodes(uri, 'unknown-property');
    writeSchema('schemas/shop.json', createSchema('plan'));
    await editor.save(uri);
    await untilCodes(uri);
  });

  it('is read again when the client reports a changed file', async () => {
    writeSchema('schema.json', createSchema('plans'));
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    await start({ capabilities, initializationOptions: { schema: 'schema.json' } });
    await editor.until(() => editor.registrations.includes('workspace/didChangeWatchedFiles'));
    const uri = await editor.open(PLAN);
    await untilCodes(uri, 'unknown-property');
    writeSchema('schema.json', createSchema('plan'));
    await editor.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [] });
    await untilCodes(uri);
  });

  it('is reported once if it is invalid, and ignored', async () => {
    await start({ initializationOptions: { use: 'where', schema: 'schema.json' } });
    const uri = await editor.open('5');
    await untilCodes(uri, 'filter-type');
    await editor.until(() => editor.messages.length > 0);
    await editor.save(uri);
    writeSchema('schema.json', '{"properties": ');
    await editor.save(uri);
    await editor.until(() => editor.messages.length > 1);
    writeSchema('schema.json', { properties: { plan: { types: 'string' } } });
    await editor.save(uri);
    await editor.until(() => editor.messages.length > 2);
    writeSchema('schema.json', createSchema('plans'));
    await editor.save(uri);
    await untilCodes(await editor.open(`${PLAN} == "pro"`), 'unknown-property');
    expect(editor.messages).toEqual([
      `onwhere: No such file: ${join(folder, 'schema.json')}`,
      expect.stringMatching(/^onwhere: Invalid schema .*schema\.json: .*JSON/),
      expect.stringMatching(
        /^onwhere: Invalid schema .*schema\.json: "plan" in the schema: `types` must be an array of /,
      ),
    ]);
  });
});

describe('invalid settings show an error', () => {
  it.each([
    [{ use: 'filter' }, 'onwhere: `use` must be one of where, on, number, value, not "filter"'],
    [{ timeZone: 'Mars' }, 'onwhere: `timeZone` must be a name like "Europe/Berlin", not "Mars"'],
    [{ schema: 5 }, 'onwhere: A schema must be an object like'],
    ['where', 'onwhere: Settings must be an object such as {"use": "where", "schema": "schema.json"}'],
  ])('%j', async (initializationOptions, message) => {
    await start({ initializationOptions });
    expect(await editor.diagnostics(await editor.open('1 = 1'))).toMatchObject([{ code: 'single-equals' }]);
    await editor.until(() => editor.messages.length > 0);
    expect(editor.messages).toEqual([expect.stringContaining(message)]);
  });
});

describe('changed settings', () => {
  it('are requested from a client that supports it', async () => {
    let configuration: unknown = { use: 'where' };
    const capabilities: ClientCapabilities = {
      workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
    };
    await start({ capabilities, initializationOptions: { use: 'value' }, configuration: () => configuration });
    const uri = await editor.open('5');
    await untilCodes(uri, 'filter-type');
    expect(editor.registrations).toEqual(['workspace/didChangeConfiguration']);
    configuration = { use: 'number', schema: createSchema('plans') };
    await editor.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    await untilCodes(uri);
    await untilCodes(await editor.open(PLAN), 'unknown-property');
  });

  it('keep the initial ones if the client has none', async () => {
    const capabilities = { workspace: { configuration: true } };
    await start({ capabilities, initializationOptions: { use: 'where' }, configuration: () => null });
    await editor.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: {} });
    expect(await editor.diagnostics(await editor.open('5'))).toMatchObject([{ code: 'filter-type' }]);
  });

  it('are taken from the notification of other clients', async () => {
    await start({});
    const uri = await editor.open('5');
    const settings = { onwhere: { use: 'where' } };
    await editor.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
    await untilCodes(uri, 'filter-type');
  });

  it('refresh the diagnostics of a client that pulls them', async () => {
    const capabilities = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };
    await start({ capabilities });
    const uri = await editor.open('5');
    const pull = () => editor.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
    expect(await pull()).toEqual({ kind: 'full', items: [] });
    const settings = { onwhere: { use: 'where' } };
    await editor.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
    await editor.until(() => editor.refreshes > 0);
    expect(await pull()).toMatchObject({ kind: 'full', items: [{ code: 'filter-type' }] });
    await editor.close(uri);
    expect(await pull()).toEqual({ kind: 'full', items: [] });
    expect(editor.lastDiagnostics(uri)).toBeUndefined();
  });
});
