const COPIES = 15;

/** Generates leaf-copies.ts from the source of leaves.ts. */
export function writeLeafCopies(source: string): string {
  const [, leaves] = /begin here\.\n(.*)\n *\/\/ The copies end here\./s.exec(source) ?? [];
  if (leaves === undefined) throw new Error('leaves.ts lacks the comments that mark where the copies begin and end');
  return [
    '// Written by `npm run generate` from leaves.ts.',
    "import { contains } from '../../operators/functions.ts';",
    "import { readProperty } from '../../value.ts';",
    "import type { PropertyReaders } from './leaves.ts';",
    "import { BARE, isPlain } from './plain.ts';",
    '',
    '/** Copies of the same code, so that V8 optimizes each for other properties: see leaves-for.ts. */',
    'export const COPIES: readonly PropertyReaders[] = [',
    ...Array.from({ length: COPIES }, () => `  {\n${leaves.replace(/^(?=.)/gm, '  ')}\n  },`),
    '];',
    '',
  ].join('\n');
}
