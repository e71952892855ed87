import { createHmac, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReportEvent } from '../datasets/service-event.ts';
import { createFile, makeFolder } from '../storage/files.ts';

/** Where notices go, and the key that signs them. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: Uint8Array;
}

/** A notice in the queue. */
interface Waiting {
  /** The name of its file without the extension, and the same for each attempt. It begins with its time. */
  readonly id: string;
  readonly bytes: number;
  attempts: number;
}

/** The limits of a queue, and its times in milliseconds. */
export interface WebhookLimits {
  readonly notices: number;
  readonly bytes: number;
  /** How long an attempt may take. */
  readonly attempt: number;
  /** The delay after a failure, which doubles with each further one in a row up to the maximum. */
  readonly firstDelay: number;
  readonly maxDelay: number;
  /** How long a notice is sent again. */
  readonly giveUp: number;
}

export const WEBHOOK_LIMITS: WebhookLimits = {
  notices: 10_000,
  bytes: 256 * 2 ** 20,
  attempt: 10_000,
  firstDelay: 1_000,
  maxDelay: 300_000,
  giveUp: 3 * 86_400_000,
};

/**
 * Posts notices to a URL, each at least once: a notice is a file until the receiver has taken it, and is sent again after
 * errors and restarts. Requests are signed as the specification Standard Webhooks says.
 */
export class WebhookQueue {
  private readonly closing = new AbortController();
  private wake = new AbortController();
  private bytes = 0;
  private readonly running: Promise<void>;

  private constructor(
    private readonly folder: string,
    private readonly target: WebhookTarget,
    private readonly report: ReportEvent,
    private readonly waiting: Waiting[],
    private readonly limits: WebhookLimits,
  ) {
    this.bytes = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    this.running = this.run();
  }

  /** Opens the queue in a folder and sends what waits there. Only one process may have it open. */
  static async open(
    folder: string,
    target: WebhookTarget,
    report: ReportEvent,
    limits: Partial<WebhookLimits> = {},
  ): Promise<WebhookQueue> {
    await makeFolder(folder);
    const waiting: Waiting[] = [];
    for (const name of (await readdir(folder)).sort()) {
      if (!name.endsWith(EXTENSION)) await rm(join(folder, name), { force: true });
      else {
        const { size } = await stat(join(folder, name));
        waiting.push({ id: name.slice(0, -EXTENSION.length), bytes: size, attempts: 0 });
      }
    }
    return new WebhookQueue(folder, target, report, waiting, { ...WEBHOOK_LIMITS, ...limits });
  }

  /** The number of notices that wait. */
  get size(): number {
    return this.waiting.length;
  }

  /** Returns once the notice is on disk. A full queue drops it and reports that. */
  async add(notice: string): Promise<void> {
    const id = `${Date.now()}-${randomUUID()}`;
    const bytes = Buffer.byteLength(notice);
    if (this.waiting.length >= this.limits.notices || this.bytes + bytes > this.limits.bytes) {
      this.report({ kind: 'webhook dropped', id, error: new Error('too many notices wait for the receiver') });
      return;
    }
    this.bytes += bytes;
    try {
      await createFile(this.pathOf(id), notice);
    } catch (error) {
      this.bytes -= bytes;
      this.report({ kind: 'webhook dropped', id, error: error as Error });
      return;
    }
    this.waiting.push({ id, bytes, attempts: 0 });
    this.wake.abort();
  }

  /** Ends a running attempt. What waits is sent when the queue is opened again. */
  async close(): Promise<void> {
    this.closing.abort();
    this.wake.abort();
    await this.running;
  }

  /** One at a time: a receiver that is down gets no more than one request for each delay. */
  private async run(): Promise<void> {
    let failures = 0;
    while (!this.closing.signal.aborted) {
      const [next] = this.waiting;
      if (next === undefined) await this.sleep(this.wake.signal, IDLE_MS);
      else if (await this.attempt(next)) failures = 0;
      else await this.sleep(this.closing.signal, this.getDelay(failures++));
    }
  }

  private async sleep(signal: AbortSignal, milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal === this.wake.signal) this.wake = new AbortController();
  }

  private getDelay(failures: number): number {
    const { firstDelay, maxDelay } = this.limits;
    return Math.min(firstDelay * 2 ** failures, maxDelay);
  }

  /** Posts a notice and returns whether the receiver has it. A notice that fails waits behind the others. */
  private async attempt(notice: Waiting): Promise<boolean> {
    const { id } = notice;
    try {
      await this.post(id, await readFile(this.pathOf(id), 'utf8'));
      await this.remove(notice);
      return true;
    } catch (error) {
      if (this.closing.signal.aborted) return false;
      notice.attempts++;
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isMissing || Date.now() - Number.parseInt(id, 10) > this.limits.giveUp) {
        this.report({ kind: 'webhook dropped', id, error: error as Error });
        await this.remove(notice);
      } else {
        this.report({ kind: 'webhook failed', id, attempts: notice.attempts, error: error as Error });
        this.waiting.push(...this.waiting.splice(this.waiting.indexOf(notice), 1));
      }
      return false;
    }
  }

  /** @throws {Error} if the receiver does not take the notice */
  private async post(id: string, body: string): Promise<void> {
    // Node.js 20 may collect an `AbortSignal.timeout` that only `AbortSignal.any` refers to, and the attempt never ends.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.limits.attempt);
    const signal = AbortSignal.any([this.closing.signal, limit.signal]);
    const headers = { 'Content-Type': 'application/json', ...signNotice(id, body, this.target.secret, Date.now()) };
    let response: Response;
    try {
      response = await fetch(this.target.url, { method: 'POST', headers, body, redirect: 'manual', signal });
    } catch (error) {
      if (limit.signal.aborted) throw new Error(`no response within ${this.limits.attempt / 1_000} seconds`);
      const { name, cause } = error as Error;
      throw new Error(`the request failed: ${(cause as Error | undefined)?.message ?? name}`);
    } finally {
      clearTimeout(timer);
    }
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the receiver responded with status ${response.status}`);
  }

  private async remove(notice: Waiting): Promise<void> {
    await rm(this.pathOf(notice.id), { force: true });
    this.waiting.splice(this.waiting.indexOf(notice), 1);
    this.bytes -= notice.bytes;
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${EXTENSION}`);
  }
}

const EXTENSION = '.json';

/** How long an empty queue sleeps, unless it is woken. */
const IDLE_MS = 3_600_000;

/**
 * Returns the headers that identify a notice and prove its sender (Standard Webhooks): the signature is an HMAC with
 * SHA-256 of the id, the time and the body.
 *
 * @param now In milliseconds since 1970.
 */
function signNotice(id: string, body: string, secret: Uint8Array, now: number): Record<string, string> {
  const time = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
}
