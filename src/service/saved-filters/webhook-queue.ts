import { createHmac, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReportEvent } from '../datasets/service-event.ts';
import { FairBudget } from '../locks/fair-budget.ts';
import { createFile, makeFolder } from '../storage/files.ts';

/** Where notices go, and the key that signs them. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: Uint8Array;
}

/** A notice in the queue. */
interface Waiting {
  /** The same for each attempt. It begins with the time of the notice. */
  readonly id: string;
  readonly project: string;
  /** Gives back the room that it takes. */
  readonly release: () => void;
  attempts: number;
}

/** The limits of a queue, and its times in milliseconds. */
export interface WebhookLimits {
  /** How many notices may wait. One project may have half of them. */
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
 * errors and restarts. Projects take turns and share the room for waiting notices. Requests are signed as the
 * specification Standard Webhooks says.
 */
export class WebhookQueue {
  private readonly closing = new AbortController();
  private wake = new AbortController();
  /** The notices of each project, the one whose turn is next first. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** The number of notices that are being sent: 0 or 1. */
  private sending = 0;
  private readonly notices: FairBudget;
  private readonly bytes: FairBudget;
  private readonly running: Promise<void>;

  private constructor(
    private readonly folder: string,
    private readonly target: WebhookTarget,
    private readonly report: ReportEvent,
    found: readonly FoundNotice[],
    private readonly limits: WebhookLimits,
  ) {
    this.notices = new FairBudget(limits.notices);
    this.bytes = new FairBudget(limits.bytes);
    // Notices on disk are sent even if they exceed the limits of today.
    for (const { id, project, bytes } of found) {
      this.enqueue({ id, project, release: this.reserve(project, bytes) ?? (() => undefined), attempts: 0 });
    }
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
    const found: FoundNotice[] = [];
    for (const name of (await readdir(folder)).sort()) {
      const [, id, project = ''] = FILE_NAME.exec(name) ?? [];
      if (id === undefined) await rm(join(folder, name), { force: true });
      else found.push({ id, project, bytes: (await stat(join(folder, name))).size });
    }
    return new WebhookQueue(folder, target, report, found, { ...WEBHOOK_LIMITS, ...limits });
  }

  /** The number of notices that wait. */
  get size(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, this.sending);
  }

  /** Returns once the notice of a project is on disk. Drops it and reports that if there is no room for the project. */
  async add(project: string, notice: string): Promise<void> {
    const id = `${Date.now()}-${randomUUID()}`;
    const release = this.reserve(project, Buffer.byteLength(notice));
    if (release === undefined) {
      const error = new Error(`too many notices of ${project} wait for the receiver`);
      this.report({ kind: 'webhook dropped', id, error });
      return;
    }
    const waiting = { id, project, release, attempts: 0 };
    try {
      await createFile(this.pathOf(waiting), notice);
    } catch (error) {
      release();
      this.report({ kind: 'webhook dropped', id, error: error as Error });
      return;
    }
    this.enqueue(waiting);
    this.wake.abort();
  }

  /** Takes room for a notice, and returns a function that gives it back. Returns undefined if there is none. */
  private reserve(project: string, bytes: number): (() => void) | undefined {
    if (!this.notices.take(project, 1)) return undefined;
    if (this.bytes.take(project, bytes))
      return () => {
        this.notices.giveBack(project, 1);
        this.bytes.giveBack(project, bytes);
      };
    this.notices.giveBack(project, 1);
    return undefined;
  }

  private enqueue(notice: Waiting): void {
    const own = this.waiting.get(notice.project) ?? [];
    own.push(notice);
    this.waiting.set(notice.project, own);
  }

  /** Takes the oldest notice of the project whose turn it is out of the queue. */
  private dequeue(): Waiting | undefined {
    const [[project, own] = []] = this.waiting;
    if (project === undefined) return undefined;
    const next = own?.shift();
    this.waiting.delete(project);
    if (own !== undefined && own.length > 0) this.waiting.set(project, own);
    return next;
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
      const next = this.dequeue();
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

  /** Posts a notice and returns whether the receiver has it. A notice that fails waits behind the others of its project. */
  private async attempt(notice: Waiting): Promise<boolean> {
    const { id } = notice;
    this.sending = 1;
    try {
      await this.post(id, await readFile(this.pathOf(notice), 'utf8'));
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
        this.enqueue(notice);
      }
      return false;
    } finally {
      this.sending = 0;
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
    await rm(this.pathOf(notice), { force: true });
    notice.release();
  }

  private pathOf({ id, project }: Pick<Waiting, 'id' | 'project'>): string {
    return join(this.folder, `${id}${project === '' ? '' : `.${project}`}.json`);
  }
}

/** A notice that was in the folder when the queue was opened. */
interface FoundNotice {
  readonly id: string;
  /** Empty for a notice from before projects took turns. */
  readonly project: string;
  readonly bytes: number;
}

/** Matches the name of the file of a notice: its id and, with a dot before it, its project. */
const FILE_NAME = /^([\w-]+)(?:\.([\w-]+))?\.json$/;

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
