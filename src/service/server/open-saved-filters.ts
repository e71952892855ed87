import type { Datasets } from '../datasets/datasets.ts';
import { paths } from '../datasets/files/paths.ts';
import { SavedFilters } from '../datasets/saved/saved-filters.ts';
import type { ReportEvent } from '../datasets/service-event.ts';
import { FilterMatcher } from '../saved-filters/filter-matcher.ts';
import { SavedFilterRegistry } from '../saved-filters/saved-filter-registry.ts';
import { WebhookQueue } from '../saved-filters/webhook-queue.ts';
import { type Configuration, decodeWebhookSecret } from './settings/settings.ts';

/** Opens the saved filters of a data folder and, if there is a webhook, the queue of its notices. */
export async function openSavedFilters(
  { data, webhook, webhookSecret }: Configuration,
  { tellDamage }: Pick<Datasets, 'tellDamage'>,
  report: ReportEvent,
): Promise<SavedFilterRegistry> {
  const webhooks =
    webhook === undefined || webhookSecret === undefined
      ? undefined
      : await WebhookQueue.open(
          paths.webhooks(data),
          { url: webhook, secret: decodeWebhookSecret(webhookSecret) },
          report,
        );
  return new SavedFilterRegistry(new SavedFilters(data, tellDamage), new FilterMatcher(), report, webhooks);
}
