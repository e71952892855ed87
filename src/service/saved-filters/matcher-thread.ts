import { type MessagePort, parentPort } from 'node:worker_threads';
import { FilterSet } from '../../api/filter-set.ts';
import { countMatches, type NamedFilter } from './count-matches.ts';
import type { MatchRequest, MatchResult } from './match-request.ts';
import { writeNotices } from './write-notices.ts';

/** The entry of the thread that matches events with saved filters. It says that it is ready, then replies to each request. */
const port = parentPort as MessagePort;

/** The saved filters of each project, by its id. */
const projects = new Map<number, { readonly filters: readonly NamedFilter[]; readonly set: FilterSet }>();

port.on('message', ({ projectId, timeZone, filters, lines, source }: MatchRequest) => {
  if (filters !== undefined) {
    const set = new FilterSet({ timeZone });
    for (const { name, where } of filters) set.add(name, where);
    projects.set(projectId, { filters, set });
  }
  const known = projects.get(projectId);
  if (known === undefined) throw new Error('the saved filters of this project were never sent');
  const matches = countMatches(known.set, known.filters, lines);
  const result: MatchResult | undefined = matches && {
    counts: matches.map(({ people, ...counts }) => ({ ...counts, people: people.length })),
    notices: source === undefined ? [] : [...writeNotices(source, matches)],
  };
  port.postMessage(result);
});

port.postMessage('ready');
