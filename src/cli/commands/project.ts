import { Catalog } from '../../service/datasets/catalog.ts';
import type { Project } from '../../service/datasets/project.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';
import { renderTable } from '../terminal/table.ts';

export interface CatalogOptions extends Readonly<Record<string, unknown>> {
  readonly json?: true;
}

/** Makes a project and prints its token and its secret. */
export async function createProject(
  io: Io,
  name: string,
  options: CatalogOptions & { readonly timeZone: string; readonly signatures: boolean },
): Promise<void> {
  const catalog = new Catalog((await loadConfiguration(io, options)).data);
  const project = await catalog.createProject(name, options.timeZone, options);
  const { secret } = project;
  if (options.json) return io.out.print([JSON.stringify({ ...asJson(project), secret })]);
  await io.out.print([
    `token   ${project.token}   goes with every record`,
    `secret  ${secret}   opens all of the project: the user name of Basic authentication, without a password`,
  ]);
}

/** Lists the projects. Their secrets are shown when they are made only. */
export async function listProjects(io: Io, { json, ...flags }: CatalogOptions): Promise<void> {
  const projects = await new Catalog((await loadConfiguration(io, flags)).data).projects((error) =>
    warnOfFolder(io, error),
  );
  if (json) return io.out.print([JSON.stringify(projects.map(asJson))]);
  const columns = ['project', 'token', 'time zone'].map((title) => ({ title, align: 'left' as const }));
  await io.out.print(
    renderTable(
      columns,
      projects.map(({ name, token, timeZone }) => [name, token, timeZone]),
    ),
  );
}

/** Says that a file cannot be read, which is left out of a list. */
export function warnOfFolder(io: Io, { message }: Error): void {
  printMessage(io, 'warning', message);
}

function asJson({ id, name, token, timeZone }: Project) {
  return { project_id: id, name, token, time_zone: timeZone };
}
