import type { Schema } from '../../lang/check/schema.ts';
import type { ConsoleApi } from './api.ts';

/** The number of names to fetch. */
const MAX_NAMES = 255;

export interface KnownFunnel {
  readonly funnel_id: number;
  readonly name: string;
}

/** A name alone says nothing about types, so a property may have any. */
const TYPES = ['string', 'number', 'boolean', 'null', 'list'] as const;

/** The names of events, properties and funnels of the project. Each list is fetched once. */
export class KnownNames {
  private readonly requests = new Map<string, Promise<unknown>>();

  constructor(private readonly api: ConsoleApi) {}

  /** Resolves to the most frequent events. */
  listEvents(): Promise<readonly string[]> {
    return this.fetchOnce('events/names', [['limit', String(MAX_NAMES)]]);
  }

  listFunnels(): Promise<readonly KnownFunnel[]> {
    return this.fetchOnce('funnels/list', []);
  }

  /** Resolves to the most frequent properties of an event. */
  async listProperties(event: string): Promise<readonly string[]> {
    const parameters = Object.entries({ event, limit: String(MAX_NAMES) });
    return Object.keys(await this.fetchOnce<object>('events/properties/top', parameters));
  }

  private fetchOnce<Answer>(path: string, parameters: readonly (readonly [string, string])[]): Promise<Answer> {
    const key = JSON.stringify([path, parameters]);
    const request = this.requests.get(key) ?? this.api.call(path, parameters);
    this.requests.set(key, request);
    // A failed request may be tried again.
    request.catch(() => this.requests.delete(key));
    return request as Promise<Answer>;
  }
}

/** Returns a schema of these properties; undefined if none are known or there may be others. */
export function createSchemaOfNames(names: readonly string[]): Schema | undefined {
  if (names.length === 0 || names.length >= MAX_NAMES) return undefined;
  return { properties: Object.fromEntries(names.map((name) => [name, { types: TYPES }])) };
}
