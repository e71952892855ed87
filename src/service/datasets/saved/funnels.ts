import { compileWhere } from '../../../api/expressions.ts';
import type { Funnel } from '../../../queries/funnel-content.ts';
import { checkFunnelLength, type FunnelContent, findFunnelProblem, isFunnel } from '../../../queries/funnel-content.ts';
import { CatalogError, type TellDamage } from '../files/errors.ts';
import { paths } from '../files/paths.ts';
import { NumberedFiles } from './numbered-files.ts';

/** A saved funnel. */
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
    const problem = findFunnelProblem(name, steps) ?? checkFunnelLength(length, lengthUnit);
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
