import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { trimForVite } from '../../scripts/trim-chevrotain.ts';

const pathOf = (file: string) =>
  fileURLToPath(new URL(`../../node_modules/chevrotain/lib/src/${file}`, import.meta.url));

/** Runs the hooks of the plugin as for a bundle with one file of Chevrotain. */
function bundle(path: string, source: string): { code: string | undefined; end: () => void } {
  const { transform, buildEnd } = trimForVite() as unknown as {
    transform: (source: string, path: string) => string | undefined;
    buildEnd: () => void;
  };
  return { code: transform(source, path), end: buildEnd };
}

describe('trimChevrotain', () => {
  it('removes the bodies of functions that a finished grammar never calls, and nothing else', () => {
    const path = pathOf('parse/grammar/follow.js');
    const source = readFileSync(path, 'utf8');
    const { code } = bundle(path, source);
    expect(source).toMatch(/function computeAllProdsFollows\(topProductions\) \{\s+const/);
    expect(code).toMatch(/function computeAllProdsFollows\(topProductions\)\{throw Error\("left out"\)\}/);
    expect(code?.replace(/(?<=computeAllProdsFollows\(topProductions\))\{.*?\}/, '')).toBe(
      source.replace(/(?<=computeAllProdsFollows\(topProductions\)) \{[\s\S]*?\n\}/, ''),
    );
  });

  it('writes out settings where they are read, and fails the build if one has moved', () => {
    const path = pathOf('parse/parser/traits/recoverable.js');
    const source = readFileSync(path, 'utf8');
    const { code } = bundle(path, source);
    expect(source).toMatch(/this\.recoveryEnabled = .+if \(this\.recoveryEnabled\)/s);
    expect(code).toMatch(/this\.recoveryEnabled = .+if \(false\)/s);
    const moved = source.replaceAll('recoveryEnabled', 'recovers');
    expect(() => bundle(path, moved)).toThrow(/has no this\.recoveryEnabled/);
  });

  it('leaves files of other packages and other files of Chevrotain alone', () => {
    expect(bundle('/app/node_modules/other/follow.js', 'export {};').code).toBeUndefined();
    expect(bundle(pathOf('parse/grammar/keys.js'), 'export {};').code).toBeUndefined();
  });

  it('fails the build if a function has moved', () => {
    expect(() => bundle(pathOf('parse/grammar/follow.js'), 'export {};')).toThrow(/has no computeAllProdsFollows/);
  });

  it('fails the build if a file has moved', () => {
    const { end } = bundle(pathOf('parse/grammar/keys.js'), 'export {};');
    expect(end).toThrow(/there is no scan\/lexer\.js/);
  });

  it('accepts a bundle without Chevrotain', () => {
    expect(bundle('/app/src/main.js', 'export {};').end).not.toThrow();
  });
});
