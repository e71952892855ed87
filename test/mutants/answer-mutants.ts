// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
import { type Mutant, mutate } from './mutant.ts';

const MEMORY = 'test/service/analytics/memory-queries.test.ts';
const RAISING_IN_SQL = ['test/service/analytics/duckdb-analytics.test.ts', 'only if the law names it'] as const;
const EXECUTOR = 'test/service/analytics/execution/query-executor.test.ts';
const ANSWERS = 'test/cli/answers.test.ts';
const SHOWN = 'test/cli/shown-answers.test.ts';
const CENSUS = 'test/cli/record-census.test.ts';
const HELD = 'test/cli/memory.test.ts';
const FILE_ANSWERS = 'test/web/events/answer-request.test.ts';

/** Mistakes of answers: of events that raise, of the present, of totals, and of files that are large or hostile. */
export const ANSWER_MUTANTS: readonly Mutant[] = [
  ...mutate('src/queries/in-memory/retention.ts', [MEMORY, 'an earlier born event'], {
    'earlier born events that fail': ['of selectLeniently(outside)', 'of select(outside)'],
  }),
  ...mutate('src/service/analytics/queries/retention.ts', RAISING_IN_SQL, {
    'earlier born events that fail in SQL': ['        raises: buckets,\n', ''],
    'segments of earlier born events in SQL': [
      "expression: on, span: buckets, given: 'born'",
      "expression: on, given: 'born'",
    ],
  }),
  ...mutate('src/service/analytics/sql/event-query.ts', RAISING_IN_SQL, {
    'a born event on which the filter fails': ['[`${error} IS NULL`]', '[]'],
  }),
  ...mutate('src/service/analytics/execution/query-executor.ts', EXECUTOR, {
    'answers of other time zones': ['await data.state(), timeZone, name', 'await data.state(), name'],
  }),
  ...mutate('src/service/analytics/execution/normalize-request.ts', EXECUTOR, {
    'answers that read the time': ['expressions.readsTime(source, use)', 'source === undefined'],
    'long filters in normal form': ['isShort ? toNormalText', 'use ? toNormalText'],
    'filters of steps': ["name === 'steps' && Array.isArray(value)", 'name === undefined && Array.isArray(value)'],
  }),
  ...mutate(
    'src/service/analytics/execution/normalize-request.ts',
    'test/service/analytics/execution/normalize-request.test.ts',
    {
      'segments as filters': ["on: 'value'", "on: 'where'"],
    },
  ),
  ...mutate(
    'src/service/analytics/execution/answer-cache.ts',
    'test/service/analytics/execution/answer-cache.test.ts',
    {
      'errors of other spellings': [
        'this.pending.get(spelling) ?? this.begin',
        '[...this.pending.values()][0] ?? this.begin',
      ],
    },
  ),
  ...mutate('src/web/events/record-columns.ts', [FILE_ANSWERS, 'the name of an event'], {
    'names of events': ['else if (event !== undefined) this', "else if (event === '') this"],
  }),
  ...mutate('src/web/events/record-columns.ts', 'test/web/events/event-store.test.ts', {
    'properties of the records between': ['while ((rows[cursor.next]', 'if ((rows[cursor.next]'],
  }),
  ...mutate('src/web/events/property-column.ts', 'test/web/events/event-store.test.ts', {
    'values that are objects': ['counts.codes[0] === 0 ? types & ~UNDEFINED : types', 'types & ~UNDEFINED'],
  }),
  ...mutate('src/web/events/record-list.ts', 'test/web/events/event-store.test.ts', {
    'the block of a row': ['if ((this.blocks[middle] as RecordBlock).first <= row) from', 'if (row < 0) from'],
  }),
  ...mutate('src/queries/in-memory/memory-services.ts', [FILE_ANSWERS, 'warns of names'], {
    'names of events in warnings': ['name === EVENT_PROPERTY', "name === ''"],
  }),
  ...mutate('src/cli/workers/match-counter.ts', 'test/cli/match.test.ts', {
    'names of events for filters': ['name === EVENT_PROPERTY', "name === ''"],
  }),
  ...mutate('src/cli/answers/grids.ts', ANSWERS, {
    'intervals to come': ["if (state === 'future') return '';", ''],
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
  ...mutate('src/queries/interval-state.ts', 'test/queries/interval-state.test.ts', {
    'the day on which an interval ends': ['return present < getStart', 'return present <= getStart'],
  }),
  ...mutate('src/queries/endpoints/choose-interval-count.ts', 'test/queries/choose-interval-count.test.ts', {
    'intervals after the dates': ['Math.min(labels.length - 1, ', 'Math.min('],
    'answers of too many segments': ['values.on === undefined ? 1 : values.limit', '1'],
  }),
  ...mutate('src/cli/commands/ask.ts', SHOWN, {
    'users in all': ['return { inAll };', 'return {};'],
    'intervals of JSON': ['const asked = isText ?', 'const asked = json || isText ?'],
  }),
  ...mutate('src/queries/endpoints/whole-range.ts', SHOWN, {
    'one bucket for all dates': ["ALL_DAYS = '3700000'", "ALL_DAYS = '1'"],
    'the days of the last units': ['countDays(last, unit) : 1', 'countDays(last, unit) && 1 : 1'],
    'events without the property': ['where: `defined(${property})`', "where: 'true'"],
  }),
  ...mutate('src/cli/answers/grids.ts', SHOWN, {
    'numbers that nobody reaches': ['countReached(rows.map(({ counts }) => counts))', 'rows[0]?.counts.length ?? 0'],
  }),
  ...mutate('src/cli/api/plain-events.ts', 'test/cli/plain-events.test.ts', {
    'infinite numbers of plain events': ["typeof value === 'number' ? Number.isFinite(value) : ", ''],
    'the other properties of plain events': [
      '&& !isScalar(walker.readSlot(slot))) return',
      '&& walker.isAbsent(slot)) return',
    ],
    'lone surrogates of plain events': [
      'repair(this.walker.readSlot(slot) as string)',
      'this.walker.readSlot(slot) as string',
    ],
  }),
  ...mutate('src/cli/api/file-lines.ts', 'test/cli/plain-events.test.ts', {
    'the token of plain events': ['reads.some(({ name }) => name === TOKEN)', "reads.some(({ name }) => name === '')"],
    'plain events that are sent twice': ['if (!isRepeated(plain.insertId)) plain.add();', 'plain.add();'],
  }),
  ...mutate('src/cli/workers/census-collector.ts', CENSUS, {
    'names of a part': ['properties.size < this.limits.names', 'this.limits.names >= 0'],
  }),
  ...mutate('src/cli/workers/shorten-id.ts', CENSUS, {
    'long ids': ['id.length < DIGEST_LENGTH ?', 'id.length >= 0 ?'],
    'different long ids': [".update(id, 'utf16le')", ".update('')"],
  }),
  ...mutate('src/cli/workers/record-census.ts', CENSUS, {
    'users of a census': ['if (this.users.size < this.limits.users) this', 'if (this.limits.users >= 0) this'],
    'names of a census': ['items.size >= this.limits.names || ', ''],
    'long names of a census': [' || name.length > this.limits.nameLength', ''],
    'a lower limit of values': ["this.limited.add('values')", 'this.limited.values()'],
    'properties beyond the names of a part': ['rest.names.entries()', 'rest.names.slice(0, 0).entries()'],
  }),
  ...mutate('src/cli/workers/value-limit.ts', CENSUS, {
    'values of a property': ['if (counts.size > this.ofEach) property', 'if (counts.size < 0) property'],
    'values of all properties': ['while (this.room > this.maxRoom && this.ofEach > 0)', 'while (this.room < 0)'],
    'room of values that are dropped': ['counts?.size ?? this.ofEach + 1', 'counts?.size ?? 0'],
    'room of long values': ['if (longest > property.longest) {', 'if (longest < property.longest) {'],
  }),
  ...mutate('src/cli/workers/seen-property.ts', [CENSUS, 'short examples'], {
    'examples without width': ['.slice(0, MAX_EXAMPLE_UNITS)', ''],
  }),
  ...mutate('src/cli/workers/seen-property.ts', [HELD, 'for their examples'], {
    'values held by examples': ['add(copyString(example))', 'add(example)'],
  }),
  ...mutate('src/cli/scan.ts', [HELD, 'the first records'], {
    'first records held by a scan': [
      'const all = this.peeked?.all;',
      'const peeked = this.peeked;\n    const all = peeked && (() => peeked.all());',
    ],
  }),
  ...mutate('src/data/peek-records.ts', [HELD, 'the first records'], {
    'first parts held by a scan': [
      'for (let part = held.shift(); part !== undefined; part = held.shift()) yield part;',
      'yield* held;',
    ],
  }),
  ...mutate('src/data/peek-records.ts', 'test/data/peek-records.test.ts', {
    'long first records': [' || characters > MAX_CHARACTERS', ''],
  }),
];
