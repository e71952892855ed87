import { ErrorCodes, Message, type MessageStrategy, type MessageWriter } from 'vscode-languageserver/node';
import { refuseRequest } from './protocol.ts';

/** How far a client has come: not yet behind `initialize`, not yet behind `shutdown`, behind both. */
export type Stage = 'new' | 'running' | 'shutDown';

type Next = Parameters<MessageStrategy['handleMessage']>[1];

/** Lets through what the protocol allows at each stage. Other requests are refused, other notifications dropped. */
export class Lifecycle implements MessageStrategy {
  stage: Stage = 'new';

  constructor(private readonly writer: MessageWriter) {}

  async handleMessage(message: Message, next: Next): Promise<void> {
    if (Message.isRequest(message)) {
      if (this.stage === (message.method === 'initialize' ? 'new' : 'running')) return next(message);
      const code = this.stage === 'new' ? ErrorCodes.ServerNotInitialized : ErrorCodes.InvalidRequest;
      return refuseRequest(this.writer, message.id, code, `\`${message.method}\` ${PLACES[this.stage]}`);
    }
    const dropped = this.stage !== 'running' && Message.isNotification(message) && message.method !== 'exit';
    if (!dropped) return next(message);
  }
}

const PLACES: Readonly<Record<Stage, string>> = {
  new: 'before `initialize`',
  running: 'a second time',
  shutDown: 'after `shutdown`',
};
