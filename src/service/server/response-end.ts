import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls back once when a request is answered, or its connection is gone. */
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
  // An answer that waits behind another one of its connection does not learn that this is gone.
  socket.once('close', end);
}
