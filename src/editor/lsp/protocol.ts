import type { MessageWriter, Range, ResponseMessage } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../../lang/source.ts';

/** A span as lines and columns of a document. Both sides count UTF-16 units. */
export function toRange(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** Answers a message that cannot be taken; one that could not be read has no id. */
export function refuseRequest(
  writer: MessageWriter,
  id: ResponseMessage['id'],
  code: number,
  message: string,
): Promise<void> {
  const response: ResponseMessage = { jsonrpc: '2.0', id, error: { code, message } };
  return writer.write(response);
}

/** Lets a message go without waiting for it: what a client refuses it does without, and that a client is gone shows elsewhere. */
export function ignoreFailure(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}
