import type { Schema } from '../../lang/check/schema.ts';
import type { ConsoleApi } from './api.ts';

/** How many names the page requests at most. */
const MAX_NAMES = 255;

export interface KnownFunnel {
  readonly funnel_id: number;
  readonly name: string;
}

/** All types of a property: a name alone says nothing about its type. */
const TYPES = ['string', 'number', 'boolean', 'null', 'list'] as const;

/** Loads the names of events, properties and funnels of the project, each list once. */
export class KnownNames {
  private readonly requests = new Map<string, Promise<unknown>>();

  constructor(private readonly api: ConsoleApi) {}

  /** Returns the names of the most frequent events. */
  getEvents(): Promise<readonly string[]> {
    return this.load('events/names', [['limit', String(MAX_NAMES)]]);
  }

  getFunnels(): Promise<readonly KnownFunnel[]> {
    return this.load('funnels/list', []);
  }

  /** Returns the names of the most frequent properties of an event. */
  async getProperties(event: string): Promise<readonly string[]> {
    const parameters = Object.entries({ event, limit: String(MAX_NAMES) });
    return Object.keys(await this.load<object>('events/properties/top', parameters));
  }

  private load<Result>(path: string, parameters: readonly (readonly [string, string])[]): Promise<Result> {
    const key = JSON.stringify([path, parameters]);
    const request = this.requests.get(key) ?? this.api.post(path, parameters);
    this.requests.set(key, request);
    // A failed request may be sent again.
    request.catch(() => this.requests.delete(key));
    return request as Promise<Result>;
  }
}

/**
 * Creates a schema that knows the names of properties and nothing about their types.
 *
 * @returns `undefined` if the list is empty or may be incomplete.
 */
export function createSchemaOfNames(names: readonly string[]): Schema | undefined {
  if (names.length === 0 || names.length >= MAX_NAMES) return undefined;
  return { properties: Object.fromEntries(names.map((name) => [name, { types: TYPES }])) };
}
