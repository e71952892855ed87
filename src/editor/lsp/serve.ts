import { createConnection, ErrorCodes, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import type { Schema } from '../../lang/check/schema.ts';
import { LanguageServer } from './language-server.ts';
import { Lifecycle, type Stage } from './lifecycle.ts';
import { ignoreFailure, refuseRequest } from './protocol.ts';

/** The streams of a language server, and access to files. */
export interface ServeLspOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Reads a schema from a file. Rejects with an error for the user. */
  readonly loadSchema: (path: string) => Promise<Schema>;
}

/**
 * Serves a client until its input ends, and returns the stage that it had reached. The process exits on `exit`, as the
 * protocol requires.
 *
 * @throws {Error} if a message header is invalid, because the start of the next message is then unknown.
 */
export function serveLsp({ input, output, loadSchema }: ServeLspOptions): Promise<Stage> {
  const reader = new StreamMessageReader(input);
  const writer = new StreamMessageWriter(output);
  const lifecycle = new Lifecycle(writer);
  new LanguageServer(createConnection(reader, writer, { messageStrategy: lifecycle }), lifecycle, loadSchema).listen();
  return new Promise((resolve, reject) => {
    input.once('end', () => resolve(lifecycle.stage));
    reader.onError((error) => {
      const code = getErrorCode(error);
      if (code === undefined) return reject(error);
      ignoreFailure(refuseRequest(writer, null, code, error.message));
    });
  });
}

/** Returns the error code for an invalid message; `undefined` for an invalid header. */
function getErrorCode(error: Error): number | undefined {
  if (error instanceof SyntaxError) return ErrorCodes.ParseError;
  return error instanceof TypeError ? ErrorCodes.InvalidRequest : undefined;
}
