import type { Properties } from '../../lang/value.ts';
import type { Io, ProjectEvents } from '../io.ts';
import { readPeoplePages } from './people-pages.ts';
import type { ServiceApi } from './service-api.ts';
import { type ApiOptions, ensureOnePlace, withProject } from './with-api.ts';

/** The place of a record is a line of the output of this command. */
const NAME = 'onwhere export';

/**
 * Runs a command on the events of a project of a server or a data folder.
 *
 * @param work gets the I/O from which a command without files reads these events, and the time zone of the project
 * @throws {UsageError} if the options name several places, or files are named too
 */
export function onProjectEvents<Result>(
  io: Io,
  files: readonly string[],
  options: ApiOptions,
  work: (io: Io, timeZone: string) => Promise<Result>,
): Promise<Result> {
  ensureOnePlace(files, options);
  return withProject(io, options, async (api) => {
    const { time_zone: timeZone } = JSON.parse(await api.query('/overview/project', {}));
    const project: ProjectEvents = {
      name: NAME,
      read: () => readEvents(api),
      readProfiles: () => readProfiles(api),
    };
    // A copy would open standard input, which is a getter.
    return work(Object.create(io, { project: { value: project } }), timeZone);
  });
}

async function* readEvents(api: ServiceApi): AsyncGenerator<Buffer> {
  for await (const chunk of await api.lines('/export', {})) yield Buffer.from(chunk);
}

async function readProfiles(api: ServiceApi): Promise<ReadonlyMap<string, Properties>> {
  const profiles = new Map<string, Properties>();
  for await (const people of readPeoplePages(api, {})) {
    for (const { $distinct_id: id, $properties: properties } of people) profiles.set(id, properties as Properties);
  }
  return profiles;
}
