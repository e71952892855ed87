import { mkdirSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { noticesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';

const bundled = new Set<string>();

/** Writes the licences of all packages that the build takes in, and their list for scanners, beside the build. */
export const listPackages: Plugin = {
  name: 'list-packages',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      for (const input of Object.keys(metafile?.inputs ?? {})) bundled.add(input);
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(bundled));
      writeFileSync('dist/sbom.cdx.json', sbomOf(bundled));
    });
  },
};
