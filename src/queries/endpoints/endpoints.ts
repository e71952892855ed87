import { ANNOTATIONS } from './annotations.ts';
import type { Endpoint } from './endpoint.ts';
import { ENGAGE } from './engage.ts';
import { EVENTS } from './events.ts';
import { EXPORT } from './export.ts';
import { FUNNELS } from './funnels.ts';
import { OVERVIEW } from './overview.ts';
import { PROPERTIES } from './properties.ts';
import { RETENTION } from './retention.ts';
import { SEGMENTATION } from './segmentation.ts';

/** Every endpoint of the query interface. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...ANNOTATIONS,
  ...EVENTS,
  ...PROPERTIES,
  ...FUNNELS,
  ...SEGMENTATION,
  ...RETENTION,
  ...ENGAGE,
  ...OVERVIEW,
  ...EXPORT,
];
