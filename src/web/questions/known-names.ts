import type { Property } from '../../lang/ast.ts';
import type { PropertySchema, Schema } from '../../lang/check/schema.ts';
import { getTypeName, type Properties, readProperty } from '../../lang/value.ts';
import {
  type CountedName,
  type CountedValue,
  type PropertyCatalog,
  type PropertyScope,
  toKnownValue,
} from '../shared/property-catalog.ts';
import type { QueryApi } from '../shared/query-api.ts';

/** How many names the page requests at most. */
const MAX_NAMES = 255;

/** How many values of a property the page requests at most. */
const MAX_VALUES = 100;

/** Events whose properties tell types. */
const MAX_SAMPLED = 200;

/** Each property whose values are suggested takes a request. */
const MAX_DETAILED = 10;

export interface KnownFunnel {
  readonly funnel_id: number;
  readonly name: string;
}

/** The dates of the data, and its events over these dates. */
export interface DataOverview {
  readonly from_date: string | null;
  readonly to_date: string | null;
  readonly unit: string;
  readonly series: readonly string[];
  readonly events: readonly { readonly event: string; readonly count: number; readonly values: readonly number[] }[];
}

/** The project of a server, or the file. */
export interface KnownProject {
  readonly name: string;
  /** In the IANA database. */
  readonly time_zone: string;
}

/** A dataset with its versions, newest first. */
export interface KnownDataset {
  readonly dataset_id: string;
  readonly versions: readonly {
    readonly version_id: string;
    readonly created_at: string;
    readonly is_live: boolean;
  }[];
}

/** All types of a property: a name alone says nothing about its type. */
const TYPES = ['string', 'number', 'boolean', 'null', 'list'] as const;

/** Loads the names of events, properties, values and funnels of the project, each list once. */
export class KnownNames implements PropertyCatalog {
  private readonly requests = new Map<string, Promise<unknown>>();

  constructor(private readonly api: QueryApi) {}

  getOverview(): Promise<DataOverview> {
    return this.load('overview', [['limit', String(MAX_NAMES)]]);
  }

  getProject(): Promise<KnownProject> {
    return this.load('overview/project', []);
  }

  getDatasets(): Promise<readonly KnownDataset[]> {
    return this.load('overview/datasets', []);
  }

  getFunnels(): Promise<readonly KnownFunnel[]> {
    return this.load('funnels/list', []);
  }

  /** Returns the most frequent properties of all events or of people. */
  getAllProperties(scope: PropertyScope): Promise<readonly CountedName[]> {
    return this.load('overview/properties', Object.entries({ scope, limit: String(MAX_NAMES) }));
  }

  /** Returns the most frequent values of a property. */
  getValues(scope: PropertyScope, name: string): Promise<readonly CountedValue[]> {
    return this.load('overview/values', Object.entries({ scope, name, limit: String(MAX_VALUES) }));
  }

  /** Returns the types of properties in the first events of the last day: a server need not read others for them. */
  async getTypes(): Promise<ReadonlyMap<string, string>> {
    const { to_date } = await this.getOverview();
    if (to_date === null) return new Map();
    const lines = await this.api.readLines('export', Object.entries({ from_date: to_date, to_date }), MAX_SAMPLED);
    return new Map(
      lines.flatMap((line) => {
        const { properties } = JSON.parse(line) as { readonly properties: Properties };
        return Object.keys(properties).flatMap((name): [string, string][] => {
          const type = getTypeName(readProperty(properties, name));
          return type === 'null' || type === 'undefined' ? [] : [[name, type]];
        });
      }),
    );
  }

  /** Returns the names of the most frequent properties of an event. */
  async getProperties(event: string): Promise<readonly string[]> {
    const parameters = Object.entries({ event, limit: String(MAX_NAMES) });
    return Object.keys(await this.load<object>('events/properties/top', parameters));
  }

  /**
   * Returns the properties of an event and of people, with types and values of those that an expression reads.
   *
   * @param event All events if it is empty.
   */
  async getSchema(event: string, reads: readonly Pick<Property, 'scope' | 'name'>[]): Promise<Schema> {
    const ofEvents = event === '' ? this.getAllNames('properties') : this.getProperties(event);
    const [properties, user] = await Promise.all([ofEvents, this.getAllNames('user')]);
    const describe = async (names: readonly string[], part: PropertyScope) => {
      // A name that is missing from a list that is cut off may exist.
      if (names.length === 0 || names.length >= MAX_NAMES) return {};
      const ofPart = reads.filter(({ scope }) => (scope === 'user') === (part === 'user')).map(({ name }) => name);
      const read = new Set([...new Set(ofPart)].slice(0, MAX_DETAILED));
      const described = names.map(async (name): Promise<[string, PropertySchema]> => {
        return [name, read.has(name) ? describeValues(await this.getValues(part, name)) : { types: TYPES }];
      });
      return { [part]: Object.fromEntries(await Promise.all(described)) };
    };
    return { ...(await describe(properties, 'properties')), ...(await describe(user, 'user')) };
  }

  private async getAllNames(scope: PropertyScope): Promise<readonly string[]> {
    return (await this.getAllProperties(scope)).map(({ name }) => name);
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

/** Returns the types of a property, and its values if these are all. */
function describeValues(found: readonly CountedValue[]): PropertySchema {
  // The event in question may have others.
  if (found.length === 0) return { types: TYPES };
  const types = [...new Set(found.map(({ type }) => type))];
  if (found.length >= MAX_VALUES || types.includes('list'))
    return { types: found.length >= MAX_VALUES ? TYPES : types };
  return { types, values: found.flatMap((value) => toKnownValue(value) ?? []) };
}
