import { peek } from './peek.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The chunks without the mark that some programs put in front of UTF-8 text. */
export async function* skipBom(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const size = BYTE_ORDER_MARK.length;
  const { head, all } = await peek(chunks, (head) => head.length >= size);
  let skip = head.subarray(0, size).equals(BYTE_ORDER_MARK) ? size : 0;
  for await (const chunk of all) {
    yield chunk.subarray(skip);
    skip = 0;
  }
}
