import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { getCurrentTime } from '../../../base/current-time.ts';
import type { AnswerStream } from '../../../queries/answer-stream.ts';
import type { ExportRequest } from '../../../queries/export-span.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import type { TimeRange } from '../../../queries/time-range.ts';
import type { QueryTarget } from '../execution/query-executor.ts';
import type { QueryQueue } from '../execution/query-queue.ts';
import { StoredAnswer } from '../execution/stored-answer.ts';
import { EventQuery } from '../sql/event-query.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { type ExportLimits, ExportPage, type ExportPosition } from './export-page.ts';
import { listExportParts } from './export-parts.ts';

const LIMITS: ExportLimits = { events: 40_000, bytes: 32 * 2 ** 20 };

/** The first query of an export reads at most this many events, since their size is not known yet. */
const FIRST_EVENTS = 2_000;

/** More than the size of an event with its name. */
const EVENT_BYTES = 2 ** 21;

/**
 * Exports raw events. Each export is a sequence of short queries, which take turns with those of others. Between two
 * queries, an export has at most one file, however slow its reader is.
 */
export class EventExports {
  constructor(
    private readonly turns: Pick<QueryQueue, 'take'>,
    /** A folder only for long answers. */
    private readonly folder: string,
    private readonly clock = getCurrentTime,
    private readonly limits = LIMITS,
  ) {}

  /**
   * Returns the selected events as NDJSON, ordered by time, user, name and properties. Type errors of the filter fail
   * before the first event.
   *
   * @throws {QueryError} for an invalid filter
   * @throws {QueryLimitError} if the queue is full or a query takes too long, also while the stream is read
   * @throws {ServiceError} while the stream is read, if other versions become live
   * @throws the reason of the signal
   */
  async open(target: QueryTarget, request: ExportRequest, signal: AbortSignal): Promise<AnswerStream> {
    const now = this.clock();
    const ask: Ask = (work) => {
      const { project, timeZone } = target;
      const read = (limited: AbortSignal) =>
        target.read((snapshot) => work({ snapshot, timeZone, now }, limited), { signal: limited });
      return this.turns.take(project, read, signal);
    };
    const versions = await target.versions();
    // Half of the limit, as a minute is never divided: most parts then take one query.
    const parts = await ask((context) => listExportParts(context, request, Math.ceil(this.limits.events / 2)));
    const assertUnchanged = async () => {
      if ((await target.versions()) === versions) return;
      throw new ServiceError(503, 'Other versions of the data became live during the export. Start it again.');
    };
    const stream = Readable.from(this.write(ask, request, parts, assertUnchanged));
    return { bytes: this.limits.bytes + EVENT_BYTES, stream, readWhole: () => readText(stream) };
  }

  private async *write(
    ask: Ask,
    request: ExportRequest,
    parts: readonly TimeRange[],
    assertUnchanged: () => Promise<void>,
  ): AsyncGenerator<string | Buffer> {
    let events = Math.min(FIRST_EVENTS, this.limits.events);
    for (const part of parts) {
      let page: ExportPage | undefined;
      do {
        const asked = await this.readPage(ask, request, part, page?.position, events);
        page = asked.page;
        const stream = typeof asked.answer === 'string' ? undefined : await asked.answer.take();
        try {
          await assertUnchanged();
          yield* stream ?? [asked.answer as string];
        } finally {
          stream?.destroy();
        }
        events = Math.min(this.limits.events, page.countFitting(this.limits.bytes));
      } while (!page.isLast);
    }
  }

  private async readPage(
    ask: Ask,
    { events, where }: ExportRequest,
    part: TimeRange,
    after: ExportPosition | undefined,
    limit: number,
  ): Promise<{ readonly page: ExportPage; readonly answer: string | StoredAnswer }> {
    let answer: string | StoredAnswer = '';
    const discard = async () => void (answer instanceof StoredAnswer && (await answer.remove()));
    return ask(async (context, signal) => {
      // A store may repeat a read.
      await discard();
      const page = new ExportPage(after, { ...this.limits, events: limit });
      const span = { ...part, from: after?.time ?? part.from };
      const query = new EventQuery(context, { events, where, span }, { properties: { use: 'properties' } });
      answer = await StoredAnswer.of(page.read(query), this.folder, signal);
      // No one reads the answer of an aborted query.
      if (signal.aborted) await discard();
      signal.throwIfAborted();
      return { page, answer };
    });
  }
}

type Ask = <Result>(work: (context: QueryContext, signal: AbortSignal) => Promise<Result>) => Promise<Result>;
