import type { MessageWriter, Range, ResponseMessage } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../../lang/source.ts';

/** Converts a span to lines and columns of a document. Both count UTF-16 code units. */
export function toRange(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** Sends an error response. The id is null if the request could not be read. */
export function refuseRequest(
  writer: MessageWriter,
  id: ResponseMessage['id'],
  code: number,
  message: string,
): Promise<void> {
  const response: ResponseMessage = { jsonrpc: '2.0', id, error: { code, message } };
  return writer.write(response);
}

/** Ignores the failure of a message: clients may refuse it, and a lost connection is detected elsewhere. */
export function ignoreFailure(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}
