import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Message, StreamMessageReader } from 'vscode-languageserver-protocol/node';
import { startOnTerminal } from '../../spawned.ts';
import { at, Editor, PROGRAM, spawnServer } from './editor.ts';

const DYNAMIC = { dynamicRegistration: true };
/** Capabilities of a client that promises more than it does. */
const EAGER = { configuration: true, didChangeConfiguration: DYNAMIC, didChangeWatchedFiles: DYNAMIC };

describe('the language server exits', () => {
  it('with 0 after `shutdown`', async () => {
    const editor = await Editor.start();
    expect(await editor.quit()).toBe(0);
  });

  it('with 1 without `shutdown`', async () => {
    const editor = await Editor.start();
    expect(await editor.exit()).toBe(1);
  });

  it('with 1 when its input ends', async () => {
    const editor = await Editor.start();
    await editor.open('1');
    editor.server.stdin.end();
    expect(await once(editor.server, 'exit')).toEqual([1, null]);
  });

  it('with 0 even if the client has refused requests', async () => {
    const configuration = () => {
      throw new Error('no');
    };
    const editor = await Editor.start({ configuration, capabilities: { workspace: EAGER } });
    await editor.open('1');
    expect(await editor.quit()).toBe(0);
  });

  it('with 1 when the client is killed', async () => {
    const editor = await Editor.start();
    editor.server.stdin.destroy();
    editor.server.stdout.destroy();
    expect(await once(editor.server, 'exit')).toEqual([1, null]);
  });
});

/** Sends messages at once, and returns the responses and how the server exits. `nothing more` closes its input. */
async function exchange(parts: readonly string[], more: 'nothing more' | 'waiting' = 'waiting') {
  const server = spawnServer();
  const [answers, err] = [collect(server), text(server.stderr)];
  server.stdin.on('error', () => undefined).write(parts.join(''));
  if (more === 'nothing more') server.stdin.end();
  const [code] = await once(server, 'exit');
  return { answers: await answers, err: await err, code };
}

async function collect(server: ChildProcessWithoutNullStreams): Promise<Message[]> {
  const messages: Message[] = [];
  const reader = new StreamMessageReader(server.stdout);
  // Output that violates the protocol becomes a message that no test expects.
  reader.onError((error) => messages.push({ jsonrpc: error.message }));
  reader.listen((message) => messages.push(message));
  await once(server.stdout, 'close');
  return messages;
}

function frame(content: string | object): string {
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const request = (id: number, method: string, params: object = {}) => frame({ jsonrpc: '2.0', id, method, params });
const notification = (method: string, params: object = {}) => frame({ jsonrpc: '2.0', method, params });

const START = { processId: null, capabilities: {}, rootUri: null };
const INITIALIZE = request(1, 'initialize', START);
const GOODBYE = request(9, 'shutdown') + notification('exit');
const DOCUMENT = { textDocument: { uri: 'file:///a' }, position: at(0, 0) };

describe('the language server survives', () => {
  it.each<[what: string, message: string, answer: object]>([
    ['broken JSON', frame('{"jsonrpc": '), { id: null, error: expect.objectContaining({ code: -32700 }) }],
    ['an empty message', frame(''), { id: null, error: expect.objectContaining({ code: -32700 }) }],
    ['a cancellation of nothing', notification('$/cancelRequest').replace('{}', '[]'), { id: 8 }],
    ['an unknown method', request(2, 'textDocument/fly'), { id: 2, error: expect.objectContaining({ code: -32601 }) }],
    ['a second start', request(2, 'initialize', START), { id: 2, error: expect.objectContaining({ code: -32600 }) }],
    [
      'a request without a document',
      request(2, 'textDocument/hover'),
      { id: 2, error: expect.objectContaining({ code: -32603 }) },
    ],
    ['a hover over a document that is not open', request(2, 'textDocument/hover', DOCUMENT), { id: 2, result: null }],
    ['completion in one', request(2, 'textDocument/completion', DOCUMENT), { id: 2, result: null }],
    ['formatting one', request(2, 'textDocument/formatting', DOCUMENT), { id: 2, result: null }],
    ['colours of one', request(2, 'textDocument/semanticTokens/full', DOCUMENT), { id: 2, result: { data: [] } }],
    ['a change of one', notification('textDocument/didChange', { ...DOCUMENT, contentChanges: [] }), { id: 8 }],
    ['a notification without parameters', notification('textDocument/didOpen'), { method: 'window/logMessage' }],
  ])('%s', async (_, message, answer) => {
    const initialized = notification('initialized');
    const { answers, err, code } = await exchange([
      INITIALIZE,
      initialized,
      message,
      request(8, 'textDocument/hover', DOCUMENT),
      GOODBYE,
    ]);
    for (const expected of [answer, { id: 8, result: null }]) {
      expect(answers).toContainEqual(expect.objectContaining(expected));
    }
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(JSON.stringify(answers)).not.toMatch(/\bat .*\.js\b/);
  });

  it('requests before `initialize` and after `shutdown`', async () => {
    const { answers, code } = await exchange([
      request(0, 'textDocument/hover', DOCUMENT),
      notification('textDocument/didOpen', {
        textDocument: { uri: 'file:///a', text: '1 = 1', version: 1, languageId: '' },
      }),
      INITIALIZE,
      request(2, 'shutdown'),
      request(3, 'textDocument/hover', DOCUMENT),
      notification('exit'),
    ]);
    expect(answers).toMatchObject([
      { id: 0, error: { code: -32002, message: '`textDocument/hover` is not allowed before `initialize`' } },
      { id: 1, result: { capabilities: {} } },
      { id: 2, result: null },
      { id: 3, error: { code: -32600, message: '`textDocument/hover` is not allowed after `shutdown`' } },
    ]);
    expect(code).toBe(0);
  });
});

describe('invalid input', () => {
  it.each([
    ['garbage before the header', 'garbage\r\n', "Message header must separate key and value using ':' garbage"],
    ['a missing length', 'X: 1\r\n\r\n{}', 'Header must provide a Content-Length property. {"x":"1"}'],
    [
      'a length that is not a number',
      'Content-Length: all\r\n\r\n{}',
      'Content-Length value must be a number. Got all',
    ],
  ])('ends the language server: %s', async (_, start, reason) => {
    const { answers, err, code } = await exchange([start, INITIALIZE]);
    const message = `error: invalid Language Server Protocol message: ${reason}\n`;
    expect({ answers, err, code }).toEqual({ answers: [], err: message, code: 2 });
  });

  it.each(['', 'properties["a"]\n', 'Content-Length: 99999999999999\r\n\r\n{'])(
    'ends the language server before the first message: %j',
    async (input) => {
      const { answers, err, code } = await exchange([input], 'nothing more');
      expect({ answers, code }).toEqual({ answers: [], code: 2 });
      expect(err).toMatch(/^error: lsp is started by editors: .*README/);
    },
  );
});

it('explains on a terminal how to use it', async () => {
  const terminal = startOnTerminal(process.execPath, [PROGRAM, 'lsp'], {});
  let shown = '';
  terminal.onData((text) => {
    shown += text;
  });
  const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
  expect(exitCode).toBe(2);
  expect(stripVTControlCharacters(shown)).toMatch(/^error: lsp is started by editors: .*README/);
});
