import type { Funnel, FunnelStep, LengthUnit } from '../../queries/funnel-content.ts';
import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import { CatalogError } from '../../service/datasets/files/errors.ts';
import { Funnels } from '../../service/datasets/saved/funnels.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { renderTable } from '../terminal/table.ts';
import type { CatalogOptions } from './project.ts';

interface FunnelOptions extends CatalogOptions {
  /** The name of a project. */
  readonly project: string;
}

interface CreateOptions extends FunnelOptions {
  readonly steps: readonly FunnelStep[];
  readonly length: number;
  readonly lengthUnit: LengthUnit;
}

/** Creates a funnel and prints its id. */
export async function createFunnel(io: Io, name: string, options: CreateOptions): Promise<void> {
  const { json, project, steps, length, lengthUnit, ...flags } = options;
  const funnels = await openFunnels(io, project, flags);
  const funnel = await funnels.create(project, { name, steps, length, lengthUnit });
  await io.out.print([json ? JSON.stringify(toJson(funnel)) : `funnel  ${funnel.id}`]);
}

/** Lists the funnels of a project. */
export async function listFunnels(io: Io, { json, project, ...flags }: FunnelOptions): Promise<void> {
  const funnels = await (await openFunnels(io, project, flags)).list(project);
  if (json) return io.out.print([JSON.stringify(funnels.map(toJson))]);
  const columns = [
    { title: 'funnel', align: 'right' },
    ...['name', 'within', 'steps'].map((title) => ({ title, align: 'left' }) as const),
  ] as const;
  await io.out.print(renderTable(columns, funnels.map(toCells)));
}

/** Deletes a funnel. */
export async function deleteFunnel(io: Io, id: string, { json, project, ...flags }: FunnelOptions): Promise<void> {
  const funnels = await openFunnels(io, project, flags);
  const isRemoved = /^\d{1,15}$/.test(id) && (await funnels.remove(project, Number(id)));
  if (!isRemoved)
    throw new CatalogError(`There is no funnel ${id} in ${project}. \`onwhere funnel list\` shows the ids.`);
  if (json) await io.out.print([JSON.stringify({ funnel_id: Number(id) })]);
}

async function openFunnels(io: Io, project: string, flags: Readonly<Record<string, unknown>>): Promise<Funnels> {
  const { data } = await loadConfiguration(io, flags);
  // Throws if the project does not exist.
  await new Catalog(data).project(project);
  return new Funnels(data);
}

function toCells({ id, name, steps, length, lengthUnit }: Funnel): string[] {
  const shown = steps.map(({ event, where }) => (where === undefined ? event : `${event} (${where})`));
  return [String(id), name, `${length} ${lengthUnit}${length === 1 ? '' : 's'}`, shown.join(' → ')];
}

function toJson({ id, name, steps, length, lengthUnit }: Funnel) {
  return { funnel_id: id, name, steps, length, length_unit: lengthUnit };
}
