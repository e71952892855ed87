import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls `done` once, when the response is sent or the connection closes. */
export function onResponseEnd({ socket }: IncomingMessage, response: ServerResponse, done: () => unknown): void {
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    response.off('close', end);
    socket.off('close', end);
    done();
  };
  response.once('close', end);
  // A response queued behind another of the same connection gets no `close` event.
  socket.once('close', end);
}
