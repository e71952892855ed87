import { ErrorCodes, Message, type MessageStrategy, type MessageWriter } from 'vscode-languageserver/node';
import { refuseRequest } from './protocol.ts';

/** The state of the session: before `initialize`, before `shutdown`, and after both. */
export type Stage = 'new' | 'running' | 'shutDown';

type Next = Parameters<MessageStrategy['handleMessage']>[1];

/** Passes on the messages that the protocol allows at each stage. Refuses other requests, drops other notifications. */
export class Lifecycle implements MessageStrategy {
  stage: Stage = 'new';

  constructor(private readonly writer: MessageWriter) {}

  async handleMessage(message: Message, next: Next): Promise<void> {
    if (Message.isRequest(message)) {
      if (this.stage === (message.method === 'initialize' ? 'new' : 'running')) return next(message);
      const code = this.stage === 'new' ? ErrorCodes.ServerNotInitialized : ErrorCodes.InvalidRequest;
      return refuseRequest(this.writer, message.id, code, `\`${message.method}\` ${REFUSALS[this.stage]}`);
    }
    const isDropped = this.stage !== 'running' && Message.isNotification(message) && message.method !== 'exit';
    if (!isDropped) return next(message);
  }
}

const REFUSALS: Readonly<Record<Stage, string>> = {
  new: 'is not allowed before `initialize`',
  running: 'is not allowed twice',
  shutDown: 'is not allowed after `shutdown`',
};
