// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
import { type Mutant, mutate } from './mutant.ts';

const ACCESS = 'test/service/server/access.test.ts';
const METRICS = [ACCESS, '/metrics'] as const;
const WHOLE = [ACCESS, 'to a key for a part of the project'] as const;
const QUEUE = ['test/service/segments/webhook-queue.test.ts', 'shares its room'] as const;
const MEMORY = 'test/service/analytics/memory-queries.test.ts';
const RAISING_IN_SQL = ['test/service/analytics/duckdb-analytics.test.ts', 'only if the law names it'] as const;
const EXECUTOR = 'test/service/analytics/query-executor.test.ts';
const ANSWERS = 'test/cli/answers.test.ts';

/** Mistakes of what a request may see, and of answers that depend on the time or are added up. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  ...mutate('src/service/server/access.ts', ACCESS, {
    'a password': ["password === '' ? user : `${user}:${password}`", 'user'],
    'an unknown secret': ['if (access !== undefined) return access;', 'return access as never;'],
  }),
  ...mutate('src/service/server/error-answers.ts', [ACCESS, 'an import without'], {
    'imports without `verbose`': ['if (isVerbose(request)) reply', 'if (request) reply'],
  }),
  ...mutate(
    'src/service/server/cross-site.ts',
    ['test/service/server/export-refusals.test.ts', 'a remembered secret'],
    {
      'the page that loads a script': ['headers.origin ?? (isScript ? referer : undefined)', 'headers.origin'],
      'what the browser says of the site': ['!OWN_SITE.has(site)', '!site'],
    },
  ),
  ...mutate('src/service/server/head-refusal.ts', ['test/service/server/hostile.test.ts', 'two hosts'], {
    'two hosts': ['hosts.length > 1', 'hosts.length > 2'],
  }),
  ...mutate('src/service/server/add-open-routes.ts', METRICS, {
    'metrics without a secret': ['if (!hasSecret && !access.isOpen)', 'if (!hasSecret && access === undefined)'],
    'names of projects': ['metrics.text(hasSecret)', 'metrics.text(true)'],
    'the secret of metrics': ['areEqualHashes(hashSecret(user), hashSecret(secret))', 'user.length > 0'],
  }),
  ...mutate('src/service/server/endpoints/annotations.ts', WHOLE, {
    'annotations of a part': ["  assertWhole(access, 'annotations');\n", ''],
  }),
  ...mutate('src/service/server/endpoints/funnels.ts', WHOLE, {
    'the list of funnels of a part': ["      assertWhole(access, 'saved funnels');\n", ''],
    'a funnel of a part': [
      "throw apiErrors.missing('funnel_id');\n  assertWhole(access, 'saved funnels');",
      "throw apiErrors.missing('funnel_id');",
    ],
  }),
  ...mutate('src/service/datasets/access.ts', ['test/service/segments/segment-registry.test.ts', 'may not list'], {
    'the filter of a key': [
      'return datasetId === undefined && where === undefined;',
      'return datasetId === undefined || where === undefined;',
    ],
  }),
  ...mutate(
    'src/service/segments/segment-registry.ts',
    ['test/service/segments/segment-registry.test.ts', 'may not list'],
    {
      'segments of an import': ["access.scopes.includes('query') && isWhole(access) ?", 'isWhole(access) ?'],
    },
  ),
  ...mutate('src/service/segments/webhook-queue.ts', QUEUE, {
    'turns of projects': [
      'this.waiting.delete(project);\n    if (own !== undefined && own.length > 0) this.waiting.set(project, own);',
      'if (own?.length === 0) this.waiting.delete(project);',
    ],
    'the share of a project': ['if (!this.notices.take(project, 1)) return', "if (!this.notices.take('', 0)) return"],
  }),
  ...mutate('src/service/segments/write-notices.ts', 'test/service/segments/write-notices.test.ts', {
    'users of a notice': ['users + ids.length > MAX_USERS', 'users > MAX_USERS'],
    'users of a segment': ['people.slice(0, MAX_USERS)', 'people.slice(0)'],
  }),
  ...mutate('src/service/analytics/in-memory/retention.ts', [MEMORY, 'an earlier born event'], {
    'earlier born events that fail': [
      'isInRange(each.time, buckets) ? isBorn(each) : isSelectedIfValid(isBorn, each)',
      'isBorn(each)',
    ],
  }),
  ...mutate('src/service/analytics/retention.ts', RAISING_IN_SQL, {
    'earlier born events that fail in SQL': ['        raises: buckets,\n', ''],
    'segments of earlier born events in SQL': [
      "expression: on, span: buckets, given: 'born'",
      "expression: on, given: 'born'",
    ],
  }),
  ...mutate('src/service/analytics/event-query.ts', RAISING_IN_SQL, {
    'a born event on which the filter fails': ['[`${error} IS NULL`]', '[]'],
  }),
  ...mutate('src/service/analytics/query-executor.ts', EXECUTOR, {
    'answers that read the time': ['check(source).readsTime', 'source === undefined'],
  }),
  ...mutate('src/web/events/answer-request.ts', ['test/web/events/answer-request.test.ts', 'the name of an event'], {
    'names of events': ['context = addNames(context, request);\n      const', 'const'],
  }),
  ...mutate('src/cli/workers/match-counter.ts', 'test/cli/match.test.ts', {
    'names of events for filters': ['name === EVENT_PROPERTY', "name === ''"],
  }),
  ...mutate('src/cli/answers/grids.ts', ANSWERS, {
    'intervals to come': ["if (!hasBegun(date, size, index, today)) return '';", ''],
    'the running interval': ['return percent + RUNNING;', 'return percent;'],
  }),
  ...mutate('src/cli/answers/funnel.ts', ANSWERS, {
    'users of all dates': [
      "listAttempts(whole.data[whole.meta.dates[0] ?? ''] ?? {})",
      "listAttempts(data[dates[0] ?? ''] ?? {})",
    ],
  }),
  ...mutate('src/cli/commands/ask.ts', ['test/cli/file-api.test.ts', 'say what was chosen'], {
    'the present': ["return { today: data.series[0] ?? '' };", 'return {};'],
  }),
  ...mutate('src/cli/commands/ask.ts', ['test/cli/file-api.test.ts', 'once over all dates'], {
    'one bucket for all dates': ['interval: ALL_DAYS', "interval: '1'"],
  }),
];
