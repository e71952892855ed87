import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  PositionEncodingKind,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Schema } from '../../lang/check/schema.ts';
import { TRIGGERS } from '../completion-list.ts';
import { ClientConfiguration } from './client-configuration.ts';
import { ACTION_KINDS, getCodeActions } from './code-actions.ts';
import { getCompletions } from './completion.ts';
import { getDiagnostics, getFormattingEdits, getHover, getSemanticTokens, LEGEND } from './features.ts';
import type { Lifecycle } from './lifecycle.ts';
import { ignoreFailure } from './protocol.ts';

/** The section of the client settings that is ours. */
const SECTION = 'onwhere';

/** A language server for one client. Each open document is one expression. */
export class LanguageServer {
  private readonly documents = new TextDocuments(TextDocument);
  private readonly configuration: ClientConfiguration;
  private client: ClientCapabilities = {};
  private root = '.';

  constructor(
    private readonly connection: Connection,
    private readonly lifecycle: Lifecycle,
    loadSchema: (path: string) => Promise<Schema>,
  ) {
    this.configuration = new ClientConfiguration({
      loadSchema: (path) => loadSchema(resolve(this.root, path)),
      showError: (problem) => {
        const message = `onwhere: ${problem}`;
        ignoreFailure(connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message }));
      },
      onChange: () => this.refresh(),
    });
  }

  /** Starts to read messages. */
  listen(): void {
    this.followClient();
    this.followDocuments();
    this.answerRequests();
    this.connection.listen();
  }

  private followClient(): void {
    const { connection, configuration, lifecycle } = this;
    connection.onInitialize(async (params) => {
      this.client = params.capabilities;
      this.root = findRoot(params);
      await configuration.set(params.initializationOptions);
      lifecycle.stage = 'running';
      return this.getCapabilities();
    });
    connection.onInitialized(async () => {
      const { didChangeConfiguration, didChangeWatchedFiles } = this.client.workspace ?? {};
      if (didChangeConfiguration?.dynamicRegistration)
        ignoreFailure(connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION }));
      // The schema may be any JSON file, and may be another one after the settings change.
      const watchers = [{ globPattern: '**/*.json' }];
      if (didChangeWatchedFiles?.dynamicRegistration)
        ignoreFailure(connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
      await this.configure(undefined);
    });
    connection.onDidChangeConfiguration(({ settings }) => this.configure(settings?.[SECTION]));
    connection.onDidChangeWatchedFiles(() => configuration.reload());
    connection.onShutdown(() => {
      lifecycle.stage = 'shutDown';
    });
  }

  /** Requests the settings from the client, or uses those that it sent. Without any, the initial ones stay. */
  private async configure(sent: unknown): Promise<void> {
    const { workspace } = this.connection;
    const written = this.client.workspace?.configuration ? await workspace.getConfiguration(SECTION) : sent;
    if (written !== undefined && written !== null) await this.configuration.set(written);
  }

  private getCapabilities(): InitializeResult {
    return {
      capabilities: {
        positionEncoding: PositionEncodingKind.UTF16,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: TRIGGERS },
        hoverProvider: true,
        documentFormattingProvider: true,
        codeActionProvider: { codeActionKinds: ACTION_KINDS },
        semanticTokensProvider: { legend: LEGEND, full: true },
        ...(this.pulls && { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } }),
      },
      serverInfo: { name: 'onwhere' },
    };
  }

  /** Whether the client pulls diagnostics and supports refresh requests. Other clients get them pushed. */
  private get pulls(): boolean {
    const { textDocument, workspace } = this.client;
    return textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true;
  }

  private followDocuments(): void {
    const { connection, documents, configuration } = this;
    documents.onDidChangeContent(({ document }) => this.sendDiagnostics(document));
    documents.onDidClose(({ document: { uri } }) => {
      if (!this.pulls) ignoreFailure(connection.sendDiagnostics({ uri, diagnostics: [] }));
    });
    // Not every client watches files, so the schema is also reloaded here.
    documents.onDidOpen(() => configuration.reload());
    documents.onDidSave(() => configuration.reload());
    documents.listen(connection);
  }

  private sendDiagnostics(document: TextDocument): void {
    if (this.pulls) return;
    const { uri, version } = document;
    const diagnostics = getDiagnostics(document, this.configuration.settings);
    ignoreFailure(this.connection.sendDiagnostics({ uri, version, diagnostics }));
  }

  private refresh(): void {
    if (this.lifecycle.stage !== 'running') return;
    if (this.pulls) ignoreFailure(this.connection.languages.diagnostics.refresh());
    for (const document of this.documents.all()) this.sendDiagnostics(document);
  }

  private answerRequests(): void {
    const { connection, documents, configuration } = this;
    connection.onCompletion(({ textDocument, position, context }) => {
      const document = documents.get(textDocument.uri);
      const snippets = this.client.textDocument?.completion?.completionItem?.snippetSupport === true;
      const options = { schema: configuration.settings.schema, trigger: context?.triggerCharacter, snippets };
      return document && getCompletions(document, document.offsetAt(position), options);
    });
    connection.onHover(({ textDocument, position }) => {
      const document = documents.get(textDocument.uri);
      return document && getHover(document, document.offsetAt(position), configuration.settings.schema);
    });
    connection.onDocumentFormatting(({ textDocument }) => {
      const document = documents.get(textDocument.uri);
      return document && getFormattingEdits(document);
    });
    connection.onCodeAction((params) => {
      const document = documents.get(params.textDocument.uri);
      return document && getCodeActions(document, params, configuration.settings);
    });
    connection.languages.semanticTokens.on(({ textDocument }) => {
      const document = documents.get(textDocument.uri);
      return document ? getSemanticTokens(document) : { data: [] };
    });
    connection.languages.diagnostics.on(({ textDocument }) => {
      const document = documents.get(textDocument.uri);
      const items = document ? getDiagnostics(document, configuration.settings) : [];
      return { kind: DocumentDiagnosticReportKind.Full, items };
    });
  }
}

/** Returns the folder that paths in the settings are relative to: the first local workspace folder, or `.`. */
function findRoot({ workspaceFolders, rootUri }: InitializeParams): string {
  const uri = workspaceFolders?.[0]?.uri ?? rootUri;
  return uri?.startsWith('file:') ? fileURLToPath(uri) : '.';
}
