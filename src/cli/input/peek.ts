/** As much of the beginning as it takes to be `enough`, or all there is; then all chunks, these first ones among them. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  enough: (head: Buffer) => boolean,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  const rest = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (!enough(head)) {
    const next = await rest.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, all: restart(head, rest) };
}

async function* restart(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
