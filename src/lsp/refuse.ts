import type { MessageWriter, ResponseMessage } from 'vscode-languageserver/node';

/** Answers a message that cannot be taken; one that could not be read has no id. */
export function refuse(writer: MessageWriter, id: ResponseMessage['id'], code: number, message: string): Promise<void> {
  const response: ResponseMessage = { jsonrpc: '2.0', id, error: { code, message } };
  return writer.write(response);
}
