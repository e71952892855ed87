import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import type { Project } from '../../service/datasets/catalog/project.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';
import { renderTable } from '../terminal/table.ts';

export interface CatalogOptions extends Readonly<Record<string, unknown>> {
  readonly json?: true;
}

/** Creates a project and prints its token and its secret. */
export async function createProject(
  io: Io,
  name: string,
  options: CatalogOptions & { readonly timeZone: string; readonly signatures: boolean },
): Promise<void> {
  const catalog = new Catalog((await loadConfiguration(io, options)).data);
  const project = await catalog.createProject(name, options.timeZone, options);
  const { secret } = project;
  if (options.json) return io.out.print([JSON.stringify({ ...toJson(project), secret })]);
  await io.out.print([
    `token   ${project.token}   sent with every record`,
    `secret  ${secret}   for the whole project: the user name of Basic authentication, with an empty password`,
  ]);
}

/** Lists the projects, without their secrets. */
export async function listProjects(io: Io, { json, ...flags }: CatalogOptions): Promise<void> {
  const projects = await new Catalog((await loadConfiguration(io, flags)).data).projects((error) =>
    warnOfFolder(io, error),
  );
  if (json) return io.out.print([JSON.stringify(projects.map(toJson))]);
  const columns = ['project', 'token', 'time zone'].map((title) => ({ title, align: 'left' as const }));
  await io.out.print(
    renderTable(
      columns,
      projects.map(({ name, token, timeZone }) => [name, token, timeZone]),
    ),
  );
}

/** Warns about a file that cannot be read and is missing from a list. */
export function warnOfFolder(io: Io, { message }: Error): void {
  printMessage(io, 'warning', message);
}

function toJson({ id, name, token, timeZone }: Project) {
  return { project_id: id, name, token, time_zone: timeZone };
}
