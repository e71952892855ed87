import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureWidth } from '../../src/base/strings.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { Progress } from '../../src/cli/terminal/progress.ts';
import { testIo, Written } from './test-io.ts';

const SIZE = 10_000_000;

let file = '';
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'onwhere-progress-')), 'events.ndjson');
  writeFileSync(file, Buffer.alloc(SIZE, ' '));
});
afterAll(() => rmSync(join(file, '..'), { recursive: true }));

/** A clock, and the lines that a progress shows. */
async function startProgress(columns: number, files = [file], isTTY = true) {
  const screen = Object.assign(new Written(), { isTTY, columns });
  let time = 0;
  const io = testIo({ err: new OutputStream(screen, {}), now: () => time });
  const progress = await Progress.over(io, files);
  return {
    screen,
    progress,
    /** Reads bytes in some milliseconds and returns the line shown then. */
    read(bytes: number, milliseconds: number): string | undefined {
      const before = screen.text.length;
      time += milliseconds;
      progress.bytes(bytes);
      progress.show(1_234);
      return stripVTControlCharacters(screen.text.slice(before)).replace('\r', '') || undefined;
    },
  };
}

describe('the progress of a read', () => {
  it('shows a bar, the share and the time left', async () => {
    const { read } = await startProgress(80);
    expect(read(SIZE / 4, 1_000)).toBe('███████▌░░░░░░░░░░░░░░░░░░░░░░  25% · 3s left · 1,234 records · 2.5 MB');
    expect(read(SIZE / 4, 1_000)).toBe('███████████████░░░░░░░░░░░░░░░  50% · 2s left · 1,234 records · 5.0 MB');
    expect(read(SIZE / 2, 2_000)).toBe('██████████████████████████████ 100% · 1,234 records · 10.0 MB');
  });

  it('smooths the time left: a short stop does not double it', async () => {
    const { read } = await startProgress(80);
    expect(read(1_000_000, 1_000)).toContain('9s left');
    expect(read(0, 200)).toContain('10s left');
  });

  it('fits the terminal', async () => {
    for (const columns of [10, 20, 30, 44, 60, 100]) {
      const { read } = await startProgress(columns);
      for (let step = 0; step < 12; step++) {
        expect(measureWidth(read(SIZE / 12, 137) ?? '')).toBeLessThan(columns);
      }
    }
  });

  it('overwrites the line and clears only what is left of it', async () => {
    const { read, screen, progress } = await startProgress(80);
    read(SIZE / 2, 1_000);
    expect(screen.text.split('\u001b')).toHaveLength(2);
    expect(screen.text.endsWith('\u001b[K')).toBe(true);
    progress.clear();
    expect(screen.text.endsWith('\r\u001b[K')).toBe(true);
  });

  it('waits before it shows, and shows at most ten times a second', async () => {
    const { read } = await startProgress(80);
    expect(read(1, 100)).toBeUndefined();
    expect(read(1, 700)).toBeDefined();
    expect(read(1, 50)).toBeUndefined();
    expect(read(1, 60)).toBeDefined();
  });

  it('shows no share of standard input', async () => {
    const { read } = await startProgress(80, ['-']);
    expect(read(2_500_000, 1_000)).toBe('1,234 records · 2.5 MB');
  });

  it('shows nothing in a pipe', async () => {
    const { read } = await startProgress(80, [file], false);
    expect(read(SIZE / 2, 5_000)).toBeUndefined();
  });
});
