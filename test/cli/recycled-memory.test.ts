import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecycledMemory } from '../../src/cli/input/recycled-memory.ts';
import { splitLineBlocks } from '../../src/cli/input/split-line-blocks.ts';
import { runs } from '../runs.ts';

describe('RecycledMemory', () => {
  it('lends memory again only after it came back', () => {
    const memory = new RecycledMemory();
    const [first, second] = [memory.take(10), memory.take(10)];
    expect(first.buffer).not.toBe(second.buffer);
    memory.give(first);
    memory.give(first);
    expect(memory.take(20).buffer).toBe(first.buffer);
    expect(memory.take(20).buffer).not.toBe(first.buffer);
  });

  it('does not lend memory of others', () => {
    const memory = new RecycledMemory();
    const other = Buffer.alloc(2 ** 20);
    memory.give(other);
    expect(memory.take(10).buffer).not.toBe(other.buffer);
  });

  it('lends memory again that was in another thread', () => {
    const memory = new RecycledMemory();
    const bytes = memory.take(10);
    const back = structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
    memory.give(bytes, back);
    expect(memory.take(10).buffer).toBe(back);
  });

  it('changes no block that was not given back', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    const law = fc.asyncProperty(
      fc.array(fc.tuple(line, fc.nat(2), fc.boolean()), { maxLength: 30 }),
      async (pieces) => {
        const memory = new RecycledMemory();
        const text = pieces.map(([line, breaks]) => '\n'.repeat(breaks) + line);
        async function* chunks() {
          for (const piece of text) {
            const chunk = memory.take(piece.length);
            chunk.write(piece);
            yield chunk;
          }
        }
        const kept: Buffer[] = [];
        let [index, read] = [0, ''];
        for await (const block of splitLineBlocks(chunks(), { memory })) {
          read += block.bytes.toString();
          if (pieces[index++]?.[2]) block.memory?.give(block.bytes);
          else kept.push(Buffer.concat([block.bytes]), block.bytes);
        }
        const whole = text.join('');
        expect(read).toBe(whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`);
        for (let at = 0; at < kept.length; at += 2) expect(kept[at + 1]).toEqual(kept[at]);
      },
    );
    await fc.assert(law, { numRuns: runs(500) });
  });
});
