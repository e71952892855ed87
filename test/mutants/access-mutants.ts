// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
import { type Mutant, mutate } from './mutant.ts';

const ACCESS = 'test/service/server/access/access.test.ts';
const METRICS = [ACCESS, '/metrics'] as const;
const WHOLE = [ACCESS, 'to a key for a part of the project'] as const;
const QUEUE = ['test/service/saved-filters/webhook-queue.test.ts', 'shares its room'] as const;

/** Mistakes of access, and of webhooks. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  ...mutate('src/service/server/access/access.ts', ACCESS, {
    'a password': ["password === '' ? user : `${user}:${password}`", 'user'],
    'an unknown secret': ['if (access !== undefined) return access;', 'return access as never;'],
  }),
  ...mutate('src/service/server/responses/error-answers.ts', [ACCESS, 'an import without'], {
    'imports without `verbose`': ['if (isVerbose(request)) reply', 'if (request) reply'],
  }),
  ...mutate(
    'src/service/server/access/cross-site.ts',
    ['test/service/server/routes/query-refusals.test.ts', 'a remembered secret'],
    {
      'the page that loads a script': ['headers.origin ?? (isScript ? referer : undefined)', 'headers.origin'],
      'what the browser says of the site': ['!OWN_SITE.has(site)', '!site'],
    },
  ),
  ...mutate('src/service/server/requests/head-refusal.ts', ['test/service/server/hostile.test.ts', 'two hosts'], {
    'two hosts': ['hosts.length > 1', 'hosts.length > 2'],
  }),
  ...mutate('src/service/server/routes/add-open-routes.ts', METRICS, {
    'metrics without a secret': ['if (!hasSecret && !access.isOpen)', 'if (!hasSecret && access === undefined)'],
    'names of projects': ['metrics.text(hasSecret)', 'metrics.text(true)'],
    'the secret of metrics': ['areEqualHashes(hashSecret(user), hashSecret(secret))', 'user.length > 0'],
  }),
  ...mutate(
    'src/service/analytics/sql/seen-properties.ts',
    ['test/service/analytics/duckdb-analytics.test.ts', 'suggests no property'],
    {
      'names of hidden properties': ['  if (isFiltered) return {};\n', ''],
    },
  ),
  ...mutate('src/cli/load-configuration.ts', ['test/service/datasets/old-folders.test.ts', 'of a newer format'], {
    'a newer folder': ['  await readKnownFormat(configuration.data);\n', ''],
  }),
  ...mutate(
    'src/service/datasets/versions/dataset-version.ts',
    ['test/service/datasets/datasets.test.ts', 'newer release'],
    {
      'a newer store': [' || error instanceof NewerVersionError', ''],
    },
  ),
  ...mutate('src/queries/endpoints/annotations.ts', WHOLE, {
    'annotations of a part': ["  assertWhole(access, 'annotations');\n", ''],
  }),
  ...mutate('src/queries/endpoints/funnels.ts', WHOLE, {
    'the list of funnels of a part': ["      assertWhole(access, 'saved funnels');\n", ''],
    'a funnel of a part': [
      "throw apiErrors.missing('funnel_id');\n  assertWhole(access, 'saved funnels');",
      "throw apiErrors.missing('funnel_id');",
    ],
  }),
  ...mutate('src/queries/access.ts', ['test/service/saved-filters/saved-filter-registry.test.ts', 'may not list'], {
    'the filter of a key': [
      'return datasetId === undefined && where === undefined;',
      'return datasetId === undefined || where === undefined;',
    ],
  }),
  ...mutate(
    'src/service/saved-filters/saved-filter-registry.ts',
    ['test/service/saved-filters/saved-filter-registry.test.ts', 'may not list'],
    {
      'saved filters of an import': ["access.permissions.includes('query') && isWhole(access) ?", 'isWhole(access) ?'],
    },
  ),
  ...mutate('src/lang/filters/filter-index.ts', ['test/service/saved-filters/count-matches.test.ts', 'bounds'], {
    'the operations of a filter': ['takeSteps(this.steps[slot] as number,', 'takeSteps(0,'],
    'the scans of a filter': ['this.scans[slot] = reads + scans', 'this.scans[slot] = reads'],
    'the lists that a filter reads': ['this.scans[slot] = reads + scans', 'this.scans[slot] = scans'],
  }),
  ...mutate(
    'src/service/saved-filters/count-matches.ts',
    ['test/service/saved-filters/count-matches.test.ts', 'bounds'],
    {
      'the steps of a match': [' + MATCH_STEPS * (ids.length + failures.length)', ''],
      'the items of a list': ['sum + ITEM +', 'sum +'],
    },
  ),
  ...mutate('src/base/is-part.ts', 'test/base/is-part.test.ts', {
    'the length of a short part': ['part.length <= SHORT_PART', 'part.length <= 2 * SHORT_PART'],
    'the border of a part': ['borders.push(matched)', 'borders.push(0)'],
    'a part that begins before the whole': ['if (index === part.length) matched = 0;', ''],
  }),
  ...mutate('src/service/saved-filters/webhook-queue.ts', QUEUE, {
    'turns of projects': [
      'this.waiting.delete(project);\n    if (own !== undefined && own.length > 0) this.waiting.set(project, own);',
      'if (own?.length === 0) this.waiting.delete(project);',
    ],
    'the share of a project': ['if (!this.notices.take(project, 1)) return', "if (!this.notices.take('', 0)) return"],
  }),
  ...mutate('src/service/saved-filters/write-notices.ts', 'test/service/saved-filters/write-notices.test.ts', {
    'users of a notice': ['users + ids.length > MAX_USERS', 'users > MAX_USERS'],
    'users of a saved filter': ['people.slice(0, MAX_USERS)', 'people.slice(0)'],
  }),
];
