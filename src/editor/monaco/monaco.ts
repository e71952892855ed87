/**
 * The parts of the namespace of `monaco-editor` that this package uses. They are structural, so that its types resolve
 * without that package, and any version with these parts fits.
 */
export interface Monaco {
  readonly Uri: { parse(url: string): Uri };
  readonly MarkerSeverity: { readonly Error: number; readonly Warning: number };
  readonly editor: {
    getModels(): Model[];
    getModelMarkers(filter: { owner?: string; resource?: Uri }): { readonly message: string }[];
    setModelMarkers(model: Model, owner: string, markers: Marker[]): void;
    onDidCreateModel(listener: (model: Model) => void): Disposable;
    onWillDisposeModel(listener: (model: Model) => void): Disposable;
    onDidChangeModelLanguage(listener: (event: { readonly model: Model }) => void): Disposable;
  };
  readonly languages: {
    readonly CompletionItemKind: Readonly<Record<CompletionItemKindName, number>>;
    readonly CompletionItemInsertTextRule: { readonly InsertAsSnippet: number };
    register(language: { id: string; aliases: string[]; extensions: string[] }): void;
    getLanguages(): { readonly id: string }[];
    setLanguageConfiguration(id: string, configuration: LanguageConfiguration): Disposable;
    setTokensProvider(id: string, provider: TokensProvider): Disposable;
    registerCompletionItemProvider(id: string, provider: CompletionItemProvider): Disposable;
    registerHoverProvider(id: string, provider: HoverProvider): Disposable;
    registerCodeActionProvider(
      id: string,
      provider: CodeActionProvider,
      metadata: { readonly providedCodeActionKinds: readonly string[] },
    ): Disposable;
    registerDocumentFormattingEditProvider(id: string, provider: FormattingProvider): Disposable;
  };
}

/** An object to dispose of. */
export interface Disposable {
  dispose(): void;
}

/** The URI of a model. */
export interface Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly fsPath: string;
  with(change: Readonly<Record<string, string | null>>): Uri;
  toString(): string;
  toJSON(): { scheme: string };
}

/** A text document of Monaco. */
export interface Model {
  readonly uri: Uri;
  getLanguageId(): string;
  getOffsetAt(position: Position): number;
  getPositionAt(offset: number): Position;
  getValue(): string;
  getVersionId(): number;
  onDidChangeContent(listener: () => void): Disposable;
}

/** A position in a model. Lines and columns begin at 1. */
interface Position {
  readonly lineNumber: number;
  readonly column: number;
}

/** A range of a model. */
export interface Range {
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

type CompletionItemKindName = 'Constant' | 'Function' | 'Operator' | 'Property' | 'Value' | 'Variable';

interface LanguageConfiguration {
  brackets: [string, string][];
  autoClosingPairs: { open: string; close: string; notIn: string[] }[];
  surroundingPairs: { open: string; close: string }[];
}

/** A tokens provider: it tokenizes a line, given the state after the previous one. */
export interface TokensProvider {
  getInitialState(): TokensState;
  tokenize(line: string, state: TokensState): { tokens: MonacoToken[]; endState: TokensState };
}

interface TokensState {
  clone(): TokensState;
  equals(other: TokensState): boolean;
}

/** A token, which ends where the next one starts. Themes colour it by its scopes. */
export interface MonacoToken {
  startIndex: number;
  scopes: string;
}

/** A marker: an underlined mistake. */
export interface Marker extends Range {
  code: string | { value: string; target: Uri };
  severity: number;
  message: string;
  source: string;
}

interface Markdown {
  value: string;
}

interface CompletionItem {
  label: string;
  kind: number;
  range: Range;
  insertText: string;
  insertTextRules: number;
  filterText: string;
  sortText: string;
  detail?: string;
  documentation?: Markdown;
  command?: { id: string; title: string };
}

/** A provider of completions. */
export interface CompletionItemProvider {
  triggerCharacters: string[];
  provideCompletionItems(
    model: Model,
    position: Position,
    context: { readonly triggerCharacter?: string },
  ): { incomplete: boolean; suggestions: CompletionItem[] };
}

/** A provider of hovers. */
export interface HoverProvider {
  provideHover(model: Model, position: Position): { range: Range; contents: Markdown[] } | undefined;
}

interface CodeAction {
  title: string;
  kind: string;
  isPreferred: boolean;
  diagnostics: Marker[];
  edit: { edits: { resource: Uri; versionId: number; textEdit: { range: Range; text: string } }[] };
}

/** A provider of code actions. */
export interface CodeActionProvider {
  provideCodeActions(model: Model, range: Range): { actions: CodeAction[]; dispose(): void };
}

/** A provider of edits that format a model. */
export interface FormattingProvider {
  provideDocumentFormattingEdits(model: Model): { range: Range; text: string }[];
}
