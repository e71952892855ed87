import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Play, startPlay } from '../../web/explore/play.ts';
import { launchChromium } from '../chromium.ts';
import { openTab, type Tab } from './page.ts';

/** A browser tab with the page of `onwhere play`, for one test after another. */
export class PlayTab {
  readonly page: Page;
  /** The URL of the page, with a slash at the end. */
  readonly address: string;

  private constructor(
    private readonly play: Play,
    private readonly browser: Browser,
    private readonly tab: Tab,
  ) {
    this.page = tab.page;
    this.address = play.address;
  }

  /** Starts `onwhere play` in a folder, without arguments for the sample. */
  static async start(args: readonly string[] = [], folder = tmpdir()): Promise<PlayTab> {
    const [play, browser] = await Promise.all([startPlay(args, folder), launchChromium()]);
    return new PlayTab(play, browser, await openTab(browser, play.address));
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.play.stop();
  }

  /** Fails on messages in the browser console since the last call. */
  assertNoProblems(): void {
    expect(this.tab.problems.splice(0)).toEqual([]);
  }
}
