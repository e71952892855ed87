import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test/browser/chromium.ts';

// Takes the pictures of the README. Needs the build and Chromium.
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const IMAGES = join(ROOT, 'docs/images');

const folder = mkdtempSync(join(tmpdir(), 'onwhere-screenshots-'));
const children: ChildProcess[] = [];
const browser = await launchChromium();
type Page = Awaited<ReturnType<typeof browser.newPage>>;
try {
  mkdirSync(IMAGES, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(await start(/http:\S+/, 'play'));
  await page.getByRole('application').first().waitFor();
  await save(page, 'file');

  await page.goto(await start(/http:\S+#\S+/, 'serve', '--demo', '--port', '0'));
  await page.getByRole('application').first().waitFor();
  await save(page, 'server');
} finally {
  await browser.close();
  for (const child of children) child.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Starts a command and returns the first address that it prints. */
function start(address: RegExp, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...args], { cwd: folder });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const found = address.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('close', (code) => reject(new Error(`onwhere ${args.join(' ')} exited with ${code}.`)));
  });
}

function save(page: Page, name: string): Promise<Buffer> {
  return page.screenshot({ path: join(IMAGES, `${name}.png`), animations: 'disabled' });
}
