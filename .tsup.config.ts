import { defineConfig } from 'tsup';

const shared = {
  platform: 'neutral',
  target: 'es2022',
  treeshake: true,
  // The parser toolkit comes along, so that no consumer installs or imports it.
  noExternal: [/.*/],
} as const;

export default defineConfig([
  { ...shared, entry: { index: 'src/index.ts' }, format: ['esm', 'cjs'], dts: true, clean: true },
  {
    ...shared,
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    platform: 'node',
    splitting: true,
  },
]);
