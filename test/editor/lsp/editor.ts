import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  type CodeAction,
  type CodeActionContext,
  CodeActionRequest,
  type CompletionItem,
  type CompletionList,
  CompletionRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentFormattingRequest,
  type Hover,
  HoverRequest,
  InitializedNotification,
  type InitializeParams,
  InitializeRequest,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type Range,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { startChild } from '../../spawned.ts';

/** The built command line. */
export const PROGRAM = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Starts the server as a process, without sending a message. */
export function spawnServer(...args: readonly string[]): ChildProcessWithoutNullStreams {
  return startChild(process.execPath, [PROGRAM, 'lsp', ...args]);
}

export interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  readonly initializationOptions?: unknown;
  /** The URI of the workspace folder. */
  readonly root?: string;
  /** Returns the current settings. The server requests them only if the client declares that capability. */
  readonly configuration?: () => unknown;
}

/** A client that behaves like an editor: it opens documents, types, and applies the edits of the server. */
export class Editor {
  /** The messages shown to the user. */
  readonly messages: string[] = [];
  /** The methods that the server has registered for. */
  readonly registrations: string[] = [];
  /** How often the server has requested a refresh of the diagnostics. */
  refreshes = 0;
  capabilities: InitializeResult['capabilities'] = {};
  readonly connection: ProtocolConnection;
  private readonly documents = new Map<string, TextDocument>();
  private readonly published = new Map<string, PublishDiagnosticsParams>();
  private opened = 0;
  private waiting: (() => void)[] = [];

  private constructor(readonly server: ChildProcessWithoutNullStreams) {
    this.connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.set(params.uri, params);
      this.wake();
    });
    this.connection.onNotification(ShowMessageNotification.type, ({ message }) => {
      this.messages.push(message);
      this.wake();
    });
    this.connection.onRequest('client/registerCapability', ({ registrations }) => {
      this.registrations.push(...registrations.map(({ method }: { method: string }) => method));
      this.wake();
    });
    this.connection.onRequest('workspace/diagnostic/refresh', () => {
      this.refreshes++;
      this.wake();
    });
  }

  static async start({ capabilities = {}, root, configuration, ...options }: EditorOptions = {}): Promise<Editor> {
    const editor = new Editor(spawnServer('--stdio'));
    editor.connection.onRequest('workspace/configuration', ({ items }) => items.map(() => configuration?.() ?? null));
    editor.connection.listen();
    const params: InitializeParams = {
      processId: process.pid,
      capabilities,
      rootUri: null,
      workspaceFolders: root === undefined ? null : [{ uri: root, name: 'test' }],
      ...options,
    };
    editor.capabilities = (await editor.connection.sendRequest(InitializeRequest.type, params)).capabilities;
    await editor.connection.sendNotification(InitializedNotification.type, {});
    return editor;
  }

  /** Opens a new document and returns its URI. */
  async open(text: string): Promise<string> {
    const uri = `file:///test-${this.opened++}.onwhere`;
    this.documents.set(uri, TextDocument.create(uri, 'onwhere', 1, text));
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'onwhere', version: 1, text },
    });
    return uri;
  }

  text(uri: string): string {
    return this.document(uri).getText();
  }

  /** Replaces a range, as typing does. Sends only the change to the server. */
  async type(uri: string, range: Range, text: string): Promise<void> {
    const document = this.document(uri);
    const contentChanges = [{ range, text }];
    const version = document.version + 1;
    TextDocument.update(document, contentChanges, version);
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  /** Applies edits of the server, last first, so that they do not move each other. */
  async apply(uri: string, edits: readonly TextEdit[]): Promise<string> {
    for (const { range, newText } of edits.toReversed()) await this.type(uri, range, newText);
    return this.text(uri);
  }

  async save(uri: string): Promise<void> {
    await this.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
  }

  async close(uri: string): Promise<void> {
    this.documents.delete(uri);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** Waits for the diagnostics of the current version of the document. */
  async diagnostics(uri: string): Promise<Diagnostic[]> {
    const { version } = this.document(uri);
    await this.until(() => this.published.get(uri)?.version === version);
    return this.lastDiagnostics(uri) ?? [];
  }

  /** Returns the diagnostics that arrived last. */
  lastDiagnostics(uri: string): Diagnostic[] | undefined {
    return this.published.get(uri)?.diagnostics;
  }

  completion(uri: string, position: Position, triggerCharacter?: string): Promise<CompletionList> {
    const context = triggerCharacter === undefined ? {} : { context: { triggerKind: 2 as const, triggerCharacter } };
    const params = { textDocument: { uri }, position, ...context };
    return this.connection.sendRequest(CompletionRequest.type, params) as Promise<CompletionList>;
  }

  hover(uri: string, position: Position): Promise<Hover | null> {
    return this.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
  }

  formatting(uri: string): Promise<TextEdit[] | null> {
    const params = { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } };
    return this.connection.sendRequest(DocumentFormattingRequest.type, params);
  }

  codeActions(uri: string, range: Range, context: Partial<CodeActionContext> = {}): Promise<CodeAction[]> {
    const params = { textDocument: { uri }, range, context: { diagnostics: [], ...context } };
    return this.connection.sendRequest(CodeActionRequest.type, params) as Promise<CodeAction[]>;
  }

  /** Waits until messages of the server have made a condition true. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Sends `shutdown` and `exit`, and returns the exit code of the server. */
  async quit(): Promise<number | null> {
    await this.connection.sendRequest(ShutdownRequest.type);
    return this.exit();
  }

  /** Sends `exit` and returns the exit code of the server. */
  async exit(): Promise<number | null> {
    const exited = once(this.server, 'exit');
    await this.connection.sendNotification('exit');
    const [code] = await exited;
    return code;
  }

  private document(uri: string): TextDocument {
    const document = this.documents.get(uri);
    if (document === undefined) throw new Error(`${uri} is not open`);
    return document;
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Returns a position. Line and character start at 0. */
export function at(line: number, character: number): Position {
  return { line, character };
}

/** Returns the item with a label. */
export function findItem({ items }: CompletionList, label: string): CompletionItem {
  const found = items.find((candidate) => candidate.label === label);
  if (found === undefined) throw new Error(`${label} is not among ${items.map((other) => other.label).join(', ')}`);
  return found;
}
