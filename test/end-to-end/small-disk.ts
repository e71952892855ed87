import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  /** @throws {Error} if this user cannot mount a file system */
  static mount(megabytes: number): SmallDisk {
    const path = mkdtempSync(join(tmpdir(), 'onwhere-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
      return new SmallDisk(path);
    } catch (error) {
      rmSync(path, { recursive: true });
      throw error;
    }
  }

  /** Whether this user can mount a file system. */
  static get isPossible(): boolean {
    try {
      SmallDisk.mount(1).unmount();
      return true;
    } catch {
      return false;
    }
  }

  resize(megabytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${megabytes}m`, this.path]);
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.path]);
    rmSync(this.path, { recursive: true });
  }
}
