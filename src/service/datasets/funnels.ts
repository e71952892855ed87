import { compileWhere } from '../../api/expressions.ts';
import { isJsonObject } from '../../lang/util/json.ts';
import { CatalogError, type TellDamage } from './errors.ts';
import { NumberedFiles } from './numbered-files.ts';
import { paths } from './paths.ts';

const MAX_DAYS = 90;

/** An event that takes users further. */
export interface FunnelStep {
  readonly event: string;
  /** Which of the events; without it, all. */
  readonly where?: string;
}

interface FunnelContent {
  readonly name: string;
  readonly steps: readonly FunnelStep[];
  /** How long the way may take. */
  readonly length: number;
  readonly lengthUnit: LengthUnit;
}

/** A way that users go, event by event. */
export interface Funnel extends FunnelContent {
  readonly id: number;
}

/** The funnels of projects. */
export class Funnels {
  private readonly files: NumberedFiles<FunnelContent>;

  /** Files that cannot be read are told. */
  constructor(
    private readonly dataFolder: string,
    tell: TellDamage = () => undefined,
  ) {
    this.files = new NumberedFiles(isFunnel, tell);
  }

  /** By their ids. */
  list(project: string): Promise<Funnel[]> {
    return this.files.all(this.folderOf(project));
  }

  find(project: string, id: number): Promise<Funnel | undefined> {
    return this.files.find(this.folderOf(project), id);
  }

  /** @throws {CatalogError} for what is no funnel; {@link ExpressionError} for a filter that cannot be asked. */
  async create(project: string, { name, steps, length, lengthUnit }: FunnelContent): Promise<Funnel> {
    const problem = problemOf(name, steps) ?? checkFunnelLength(length, lengthUnit);
    if (problem !== undefined) throw new CatalogError(problem);
    // Fails for what cannot be asked.
    for (const { where } of steps) if (where !== undefined) compileWhere(where);
    return this.files.add(this.folderOf(project), { name, steps, length, lengthUnit });
  }

  /** Whether there was such a funnel. */
  remove(project: string, id: number): Promise<boolean> {
    return this.files.remove(this.folderOf(project), id);
  }

  private folderOf(project: string): string {
    return paths.funnels(this.dataFolder, project);
  }
}

/** What is wrong with the length of a funnel. */
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
    problemOf(name, steps) === undefined && checkFunnelLength(Number(length), lengthUnit as LengthUnit) === undefined
  );
}

function isStep(json: unknown): json is FunnelStep {
  if (!isJsonObject(json) || typeof json.event !== 'string') return false;
  return json.where === undefined || typeof json.where === 'string';
}

function problemOf(name: string, steps: readonly FunnelStep[]): string | undefined {
  if (name.trim() === '') return 'a funnel has a name';
  if (steps.length === 0) return 'a funnel has at least one step';
  return steps.every(({ event }) => event !== '') ? undefined : 'a step is named by its event';
}

/** The units of the length of a funnel, in seconds. */
export const LENGTH_UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

export type LengthUnit = keyof typeof LENGTH_UNITS;
