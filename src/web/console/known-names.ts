import type { Schema } from '../../lang/check/schema.ts';
import type { ConsoleApi } from './api.ts';

/** More names than these are not asked for. */
const MAX_NAMES = 255;

export interface KnownFunnel {
  readonly funnel_id: number;
  readonly name: string;
}

/** What may stand in any record: of a name alone, no more is known. */
const TYPES = ['string', 'number', 'boolean', 'null', 'list'] as const;

/** The names that the project has, each asked for once. */
export class KnownNames {
  private readonly asked = new Map<string, Promise<unknown>>();

  constructor(private readonly api: ConsoleApi) {}

  /** Of events, the most frequent. */
  events(): Promise<readonly string[]> {
    return this.once('events/names', [['limit', String(MAX_NAMES)]]);
  }

  funnels(): Promise<readonly KnownFunnel[]> {
    return this.once('funnels/list', []);
  }

  /** Of properties of an event. */
  async properties(event: string): Promise<readonly string[]> {
    const parameters = Object.entries({ event, limit: String(MAX_NAMES) });
    return Object.keys(await this.once<object>('events/properties/top', parameters));
  }

  private once<Answer>(path: string, parameters: readonly (readonly [string, string])[]): Promise<Answer> {
    const key = JSON.stringify([path, parameters]);
    const asked = this.asked.get(key) ?? this.api.ask(path, parameters);
    this.asked.set(key, asked);
    // What failed may be asked for again.
    asked.catch(() => this.asked.delete(key));
    return asked as Promise<Answer>;
  }
}

/** What names alone say of properties; nothing where none are known or there may be others. */
export function createSchemaOfNames(names: readonly string[]): Schema | undefined {
  if (names.length === 0 || names.length >= MAX_NAMES) return undefined;
  return { properties: Object.fromEntries(names.map((name) => [name, { types: TYPES }])) };
}
