import { type MessagePort, parentPort } from 'node:worker_threads';
import { FilterSet } from '../../api/filter-set.ts';
import { countMatches, type SegmentFilter } from './count-matches.ts';
import type { MatchRequest, MatchResult } from './match-request.ts';
import { writeNotices } from './write-notices.ts';

/** The entry of the thread that matches events with segments. It says that it is ready, then replies to each request. */
const port = parentPort as MessagePort;

/** The segments of each project, by its id. */
const projects = new Map<number, { readonly segments: readonly SegmentFilter[]; readonly set: FilterSet }>();

port.on('message', ({ projectId, timeZone, segments, lines, source }: MatchRequest) => {
  if (segments !== undefined) {
    const set = new FilterSet({ timeZone });
    for (const { name, where } of segments) set.add(name, where);
    projects.set(projectId, { segments, set });
  }
  const known = projects.get(projectId);
  if (known === undefined) throw new Error('the segments of this project were never sent');
  const matches = countMatches(known.set, known.segments, lines);
  const result: MatchResult | undefined = matches && {
    counts: matches.map(({ people, ...counts }) => ({ ...counts, people: people.length })),
    notices: source === undefined ? [] : [...writeNotices(source, matches)],
  };
  port.postMessage(result);
});

port.postMessage('ready');
