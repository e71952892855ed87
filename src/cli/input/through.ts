import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Writes the chunks into a stream that adds what it makes of them to `output`, and takes that from there chunk by chunk.
 * Where the stream or the chunks fail, what was made until then comes before the error: a pipeline would drop it.
 */
export async function* pipeThrough<T>(
  chunks: AsyncIterable<Buffer>,
  stream: Transform,
  output: T[],
): AsyncGenerator<T[]> {
  stream.resume();
  try {
    for await (const chunk of chunks) {
      await written(stream, chunk);
      yield output.splice(0);
    }
    stream.end();
    await finished(stream);
    yield output.splice(0);
  } catch (error) {
    yield output.splice(0);
    throw error;
  } finally {
    stream.destroy();
  }
}

function written(stream: Transform, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(chunk, (error) => {
      // Not every stream that fails calls back, but each one emits the error.
      if (error) return;
      stream.off('error', reject);
      resolve();
    });
  });
}
