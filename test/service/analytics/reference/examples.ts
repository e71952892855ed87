import { expect } from 'vitest';
import type { Properties } from '../../../../src/lang/value.ts';
import type { Queries } from '../../../../src/queries/requests.ts';
import type { StoredEvent } from '../../../../src/service/store/store.ts';
import { Reference } from '../reference.ts';

/** Parses a time in UTC, such as `2025-01-10 12:00:00`, to Unix seconds. */
function at(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}Z`) / 1000;
}

/** Creates an event of a user at a time in UTC. */
export function did(user: string, event: string, time: string, properties: Properties = {}): StoredEvent {
  return { event, properties: { distinct_id: user, time: at(time), ...properties } };
}

/** Creates the reference for some events. */
export function ask(events: readonly StoredEvent[], timeZone = 'UTC', now = '2025-01-10 12:00:00'): Queries {
  return new Reference({ versions: [{ events, people: [] }], timeZone, now: at(now) });
}

/** The error of a query with a wrong filter or another wrong expression. */
export const selectorError = expect.objectContaining({ kind: 'selector' });
export const actionError = expect.objectContaining({ kind: 'action' });
