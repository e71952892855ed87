import type { Datasets } from '../datasets/datasets.ts';
import { paths } from '../datasets/files/paths.ts';
import { SegmentFiles } from '../datasets/saved/saved-filters.ts';
import type { ReportEvent } from '../datasets/service-event.ts';
import { SegmentMatcher } from '../segments/segment-matcher.ts';
import { SegmentRegistry } from '../segments/segment-registry.ts';
import { WebhookQueue } from '../segments/webhook-queue.ts';
import { type Configuration, decodeWebhookSecret } from './settings/settings.ts';

/** Opens the segments of a data folder and, if there is a webhook, the queue of its notices. */
export async function openSegments(
  { data, webhook, webhookSecret }: Configuration,
  { tellDamage }: Pick<Datasets, 'tellDamage'>,
  report: ReportEvent,
): Promise<SegmentRegistry> {
  const webhooks =
    webhook === undefined || webhookSecret === undefined
      ? undefined
      : await WebhookQueue.open(
          paths.webhooks(data),
          { url: webhook, secret: decodeWebhookSecret(webhookSecret) },
          report,
        );
  return new SegmentRegistry(new SegmentFiles(data, tellDamage), new SegmentMatcher(), report, webhooks);
}
