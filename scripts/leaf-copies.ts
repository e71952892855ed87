const COPIES = 15;

/** The text of the copies, from that of the leaves. */
export function leafCopies(source: string): string {
  const [, leaves] = /begin here\.\n(.*)\n *\/\/ And end here\./s.exec(source) ?? [];
  if (leaves === undefined) throw new Error('leaves.ts does not say where the copies begin and end');
  return [
    '// Written by `npm run generate` from leaves.ts.',
    "import { contains } from '../../operators/functions.ts';",
    "import { readProperty } from '../../value.ts';",
    "import type { PropertyReaders } from './leaves.ts';",
    "import { BARE, isPlain } from './plain.ts';",
    '',
    '/** The same code again and again, each for another place: see leaves-for.ts. */',
    'export const COPIES: readonly PropertyReaders[] = [',
    ...Array.from({ length: COPIES }, () => `  {\n${leaves.replace(/^(?=.)/gm, '  ')}\n  },`),
    '];',
    '',
  ].join('\n');
}
