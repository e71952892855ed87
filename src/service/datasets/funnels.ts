import { compileWhere } from '../../api/expressions.ts';
import { isJsonObject } from '../../lang/util/json.ts';
import { CatalogError, type TellDamage } from './errors.ts';
import { NumberedFiles } from './numbered-files.ts';
import { paths } from './paths.ts';

const MAX_DAYS = 90;

/** One step of a funnel. */
export interface FunnelStep {
  readonly event: string;
  /** A filter of the events; all events if undefined. */
  readonly where?: string;
}

interface FunnelContent {
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

/** Stores the funnels of projects. */
export class Funnels {
  private readonly files: NumberedFiles<FunnelContent>;

  /** Passes each file that cannot be read to `tell`. */
  constructor(
    private readonly dataFolder: string,
    tell: TellDamage = () => undefined,
  ) {
    this.files = new NumberedFiles(isFunnel, tell);
  }

  /** Returns all funnels of a project, ordered by ID. */
  list(project: string): Promise<Funnel[]> {
    return this.files.all(this.folderOf(project));
  }

  find(project: string, id: number): Promise<Funnel | undefined> {
    return this.files.find(this.folderOf(project), id);
  }

  /**
   * @throws {CatalogError} for an invalid funnel
   * @throws {ExpressionError} for an invalid filter
   */
  async create(project: string, { name, steps, length, lengthUnit }: FunnelContent): Promise<Funnel> {
    const problem = findProblem(name, steps) ?? checkFunnelLength(length, lengthUnit);
    if (problem !== undefined) throw new CatalogError(problem);
    // Throws for an invalid filter.
    for (const { where } of steps) if (where !== undefined) compileWhere(where);
    return this.files.add(this.folderOf(project), { name, steps, length, lengthUnit });
  }

  /** Removes a funnel and returns whether it existed. */
  remove(project: string, id: number): Promise<boolean> {
    return this.files.remove(this.folderOf(project), id);
  }

  private folderOf(project: string): string {
    return paths.funnels(this.dataFolder, project);
  }
}

/** Describes the problem with the length of a funnel; undefined if it is valid. */
export function checkFunnelLength(length: number, unit: LengthUnit): string | undefined {
  if (!Number.isInteger(length) || length < 1) return 'the length of a funnel is a whole number from 1 on';
  if (length * LENGTH_UNITS[unit] <= MAX_DAYS * LENGTH_UNITS.day) return undefined;
  return `a funnel takes at most ${MAX_DAYS} days`;
}

function isFunnel(json: unknown): json is FunnelContent {
  if (!isJsonObject(json) || typeof json.name !== 'string' || !Array.isArray(json.steps)) return false;
  const { name, steps, length, lengthUnit } = json;
  if (!steps.every(isStep) || !Object.hasOwn(LENGTH_UNITS, String(lengthUnit))) return false;
  return (
    findProblem(name, steps) === undefined && checkFunnelLength(Number(length), lengthUnit as LengthUnit) === undefined
  );
}

function isStep(json: unknown): json is FunnelStep {
  if (!isJsonObject(json) || typeof json.event !== 'string') return false;
  return json.where === undefined || typeof json.where === 'string';
}

function findProblem(name: string, steps: readonly FunnelStep[]): string | undefined {
  if (name.trim() === '') return 'a funnel has a name';
  if (steps.length === 0) return 'a funnel has at least one step';
  return steps.every(({ event }) => event !== '') ? undefined : 'a step is named by its event';
}

/** The units of a funnel's length, in seconds. */
export const LENGTH_UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

export type LengthUnit = keyof typeof LENGTH_UNITS;
