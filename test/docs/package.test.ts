import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { targetOf } from '../../docs/.vitepress/pages.ts';
import { ROOT, readPage } from './pages.ts';

it('every link of a published page leads to a published file', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: fileURLToPath(ROOT),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const files: string[] = JSON.parse(packed)[0].files.map(({ path }: { path: string }) => path);
  const dead = files
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) =>
      Array.from(readPage(page).matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g), ([, href = '']) => ({
        page,
        target: targetOf(href, page),
      })),
    )
    .filter(
      ({ target }) => target && !files.some((path) => path === target.path || path.startsWith(`${target.path}/`)),
    );
  expect(dead.map(({ page, target }) => `${page} → ${target?.path}`)).toEqual([]);
  expect(files).toContain('README.md');
});
