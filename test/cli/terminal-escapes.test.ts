import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { codePoint } from '../code-point.ts';
import { testIo, Written } from './test-io.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-escapes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An OSC that writes the clipboard, a C1 one, a colour, DEL, an overwritten line and reordered text. */
const HOSTILE = '\x1b]52;c;AAAA\x07 \x9d0;title\x9c \x1b[31m \x7f good\rbad \u202egnp.exe\u2069 \u2028';
const ESCAPED =
  '\\u001b]52;c;AAAA\\u0007 \\u009d0;title\\u009c \\u001b[31m \\u007f good\\u000dbad \\u202egnp.exe\\u2069 \\u2028';

const CONTROLS = /(?![\n\t]|\r\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;

function createTerminal(): { stream: Written; out: OutputStream } {
  const stream = Object.assign(new Written(), { isTTY: true });
  return { stream, out: new OutputStream(stream, { NO_COLOR: '1' }) };
}

async function print(args: readonly string[], isTerminal: boolean): Promise<string> {
  const { stream, out } = isTerminal ? createTerminal() : { stream: new Written(), out: undefined };
  await runCli(args, testIo({ out: out ?? new OutputStream(stream, {}) }));
  return stream.text;
}

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const NDJSON = `${JSON.stringify({ event: 'a', properties: { text: HOSTILE, time: 1, distinct_id: HOSTILE } })}\n`;

describe('a terminal', () => {
  it('gets CSV with escapes, and a pipe gets it unchanged', async () => {
    const csv = `event,text\r\na,"${HOSTILE}"\r\n`;
    const args = ['filter', 'true', write('a.csv', csv)];
    const piped = await print(args, false);
    expect(piped).toContain(HOSTILE);
    expect(await print(args, true)).toBe(piped.replace(HOSTILE, ESCAPED));
    expect(await print([...args, '--raw'], true)).toBe(piped);
  });

  it('gets the same JSON as a pipe', async () => {
    const args = ['filter', 'true', write('a.ndjson', NDJSON)];
    const [piped, shown] = [await print(args, false), await print(args, true)];
    expect(piped).toBe(NDJSON);
    expect(shown).not.toMatch(CONTROLS);
    expect(JSON.parse(shown)).toEqual(JSON.parse(NDJSON));
    expect(await print([...args, '--raw'], true)).toBe(NDJSON);
  });

  it.each([
    ['segment', 'properties["text"]', '--json'],
    ['segment', 'properties["text"]', '--csv'],
    ['segment', 'properties["text"]'],
    ['describe', '--json'],
    ['describe'],
    ['properties', '--json'],
    ['properties'],
  ])('gets no characters that control it from %s %s %s', async (...args) => {
    const command = [...args, write('b.ndjson', NDJSON)];
    const [piped, shown] = [await print(command, false), await print(command, true)];
    expect(shown).not.toMatch(CONTROLS);
    if (args.includes('--json')) expect(JSON.parse(shown)).toEqual(JSON.parse(piped));
  });

  it('gets no characters that control it from any text', async () => {
    const text = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom(...HOSTILE).map(String));
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (parts) => {
        const { stream, out } = createTerminal();
        for (const part of parts) await out.writeAll(JSON.stringify([part]));
        expect(stream.text).not.toMatch(CONTROLS);
      }),
    );
  });

  it('gets characters whole whose bytes come in two parts', async () => {
    const { stream, out } = createTerminal();
    for (const byte of Buffer.from('a\u202eé🦆')) await out.writeAll(Buffer.from([byte]));
    expect(stream.text).toBe('a\\u202eé🦆');
  });

  it('gets colours of lines, and nothing else that controls it', async () => {
    const stream = Object.assign(new Written(), { isTTY: true });
    const out = new OutputStream(stream, { FORCE_COLOR: '1' });
    await out.print([`\x1b[1;31mred\x1b[0m ${HOSTILE}`, '\x1b[2J']);
    expect(stream.text).toBe(`\x1b[1;31mred\x1b[0m ${ESCAPED.replace('\\u001b[31m', '\x1b[31m')}\n\\u001b[2J\n`);
  });
});
