import { createConnection, ErrorCodes, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import type { Schema } from '../../lang/check/schema.ts';
import { LanguageServer } from './language-server.ts';
import { Lifecycle, type Stage } from './lifecycle.ts';
import { ignoreFailure, refuseRequest } from './protocol.ts';

/** What a language server needs from whoever starts it. */
export interface ServeLspOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Reads a schema from a file; an error says what is wrong. */
  readonly loadSchema: (path: string) => Promise<Schema>;
}

/**
 * Serves a client until its messages end, and answers how far it had come. On `exit` the process exits, as the protocol asks.
 *
 * @throws {Error} where a header cannot be read, so that nobody knows where the next message begins.
 */
export function serveLsp({ input, output, loadSchema }: ServeLspOptions): Promise<Stage> {
  const reader = new StreamMessageReader(input);
  const writer = new StreamMessageWriter(output);
  const lifecycle = new Lifecycle(writer);
  new LanguageServer(createConnection(reader, writer, { messageStrategy: lifecycle }), lifecycle, loadSchema).listen();
  return new Promise((resolve, reject) => {
    input.once('end', () => resolve(lifecycle.stage));
    reader.onError((error) => {
      const code = refusalOf(error);
      if (code === undefined) return reject(error);
      ignoreFailure(refuseRequest(writer, null, code, error.message));
    });
  });
}

/** What to answer to a message that is none; undefined to a header that is none. */
function refusalOf(error: Error): number | undefined {
  if (error instanceof SyntaxError) return ErrorCodes.ParseError;
  return error instanceof TypeError ? ErrorCodes.InvalidRequest : undefined;
}
