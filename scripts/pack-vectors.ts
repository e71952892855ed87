import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Copies the conformance vectors into a folder, each file compressed, with their README. */
export function packVectors(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  copyFileSync(join(from, 'README.md'), join(to, 'README.md'));
  for (const name of readdirSync(from).filter((file) => file.endsWith('.ndjson'))) {
    writeFileSync(join(to, `${name}.gz`), gzipSync(readFileSync(join(from, name)), { level: 9 }));
  }
}
