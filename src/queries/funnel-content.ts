import { isJsonObject } from '../base/json.ts';

const MAX_DAYS = 90;

/** One step of a funnel. */
export interface FunnelStep {
  readonly event: string;
  /** A filter of the events; all events if undefined. */
  readonly where?: string;
}

/** A funnel without its ID. */
export interface FunnelContent {
  readonly name: string;
  readonly steps: readonly FunnelStep[];
  /** The conversion window, in units. */
  readonly length: number;
  readonly lengthUnit: LengthUnit;
}

/** A saved funnel. */
export interface Funnel extends FunnelContent {
  readonly id: number;
}

/** Describes the problem with the length of a funnel; undefined if it is valid. */
export function checkFunnelLength(length: number, unit: LengthUnit): string | undefined {
  if (!Number.isInteger(length) || length < 1) return 'the length of a funnel is a whole number from 1 on';
  if (length * LENGTH_UNITS[unit] <= MAX_DAYS * LENGTH_UNITS.day) return undefined;
  return `a funnel takes at most ${MAX_DAYS} days`;
}

/** Returns whether JSON is a valid funnel. */
export function isFunnel(json: unknown): json is FunnelContent {
  if (!isJsonObject(json) || typeof json.name !== 'string' || !Array.isArray(json.steps)) return false;
  const { name, steps, length, lengthUnit } = json;
  if (!steps.every(isFunnelStep) || !Object.hasOwn(LENGTH_UNITS, String(lengthUnit))) return false;
  return (
    findFunnelProblem(name, steps) === undefined &&
    checkFunnelLength(Number(length), lengthUnit as LengthUnit) === undefined
  );
}

/** Returns whether JSON is a step of a funnel. */
export function isFunnelStep(json: unknown): json is FunnelStep {
  if (!isJsonObject(json) || typeof json.event !== 'string') return false;
  return json.where === undefined || typeof json.where === 'string';
}

/** Describes the problem with a funnel besides its length; undefined if it is valid. */
export function findFunnelProblem(name: string, steps: readonly FunnelStep[]): string | undefined {
  if (name.trim() === '') return 'a funnel has a name';
  if (steps.length === 0) return 'a funnel has at least one step';
  return steps.every(({ event }) => event !== '') ? undefined : 'a step is named by its event';
}

/** The units of a funnel's length, in seconds. */
export const LENGTH_UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

export type LengthUnit = keyof typeof LENGTH_UNITS;
