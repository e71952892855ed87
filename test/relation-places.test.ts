import { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createWhereValidator } from '../src/api/index.ts';
import { findRelations } from '../src/api/relate.ts';
import { toEventRecord } from '../src/data/event-record.ts';
import { createLintSource } from '../src/editor/codemirror/index.ts';
import { getCodeActions } from '../src/editor/lsp/code-actions.ts';
import { getDiagnostics } from '../src/editor/lsp/features.ts';
import { answerRequest } from '../src/web/events/answer-request.ts';
import { EventStore } from '../src/web/events/event-store.ts';
import { runCli } from './cli/run-cli.ts';

const FILTER = 'properties["a"] == 1 and properties["a"] == 2';
const WARNING = 'This is never true: `properties["a"]` cannot be 1 and 2.';
const LINES = `${JSON.stringify({ event: 'buy', properties: { time: 1_750_000_000, distinct_id: 'u', a: 1 } })}\n`;

/** Runs a command on one event. Returns all that it prints. */
async function run(...args: string[]): Promise<string> {
  const { out, err } = await runCli(args, { input: LINES });
  return out + err;
}

async function runInRepl(input: string): Promise<string> {
  const { out, err } = await runCli(['repl'], { input });
  return out + err;
}

function openDocument(source: string): TextDocument {
  return TextDocument.create('file:///a.onwhere', 'onwhere', 1, source);
}

const SETTINGS = { use: 'where', timeZone: 'UTC' } as const;

async function lint(): Promise<string> {
  const view = { state: EditorState.create({ doc: FILTER }) } as EditorView;
  return JSON.stringify(await createLintSource({ use: 'where' })(view));
}

async function askPage(path: string, ...parameters: (readonly [string, string])[]): Promise<string> {
  const store = new EventStore();
  store.add([JSON.parse(LINES)].flatMap((record) => toEventRecord(record, () => '', 1) ?? []));
  const dates = [
    ['from_date', '2025-06-15'],
    ['to_date', '2025-06-15'],
    ['verbose', '1'],
  ] as const;
  const asked = { path, parameters: [...dates, ...parameters], timeZone: 'UTC' };
  return JSON.stringify(await answerRequest(store.toMemory(), asked));
}

/** Every place that checks, with what it says about the filter. */
const PLACES: Readonly<Record<string, () => Promise<string> | string>> = {
  'onwhere check': () => run('check', FILTER),
  'onwhere check --json': () => run('check', FILTER, '--json'),
  'onwhere check --fix': () => run('check', FILTER, '--fix'),
  'onwhere eval': () => run('eval', FILTER),
  'onwhere explain': () => run('explain', FILTER),
  'onwhere explain --json': () => run('explain', FILTER, '--json'),
  'onwhere sql': () => run('sql', FILTER, '--use', 'where', '--dialect', 'duckdb'),
  'onwhere filter': () => run('filter', FILTER),
  'onwhere count': () => run('count', FILTER),
  'onwhere segment': () => run('segment', FILTER),
  'the REPL': () => runInRepl(FILTER),
  '.type of the REPL': () => runInRepl(`.type ${FILTER}`),
  '.on of the REPL': () => runInRepl(`.on ${FILTER}`),
  '.where of the REPL': () => runInRepl(`.where ${FILTER}`),
  '.find of the REPL': () => runInRepl(`.find ${FILTER}`),
  CodeMirror: lint,
  'the language server': () => JSON.stringify(getDiagnostics(openDocument(FILTER), SETTINGS)),
  'strict validators': () => {
    const validator = createWhereValidator({ strict: true, relations: findRelations });
    return JSON.stringify(validator['~standard'].validate(FILTER));
  },
  'queries of the server, and of the page about a file': () =>
    askPage('segmentation', ['event', 'buy'], ['where', FILTER]),
  'people of the server, and of the page about a file': () => askPage('engage', ['where', FILTER]),
  'steps of funnels': () =>
    askPage('funnels', ['steps', JSON.stringify([{ event: 'buy', where: FILTER }, { event: 'buy' }])]),
};

describe('a filter that is never true', () => {
  it.each(Object.entries(PLACES))('has a warning in %s', async (_, find) => {
    const said = await find();
    expect(said.replaceAll('\\\\"', '"').replaceAll('\\"', '"')).toContain(WARNING);
  });
});

it('the language server offers to leave out what makes no difference', () => {
  const document = openDocument('properties["a"] > 5 and properties["a"] > 3');
  const range = { start: document.positionAt(0), end: document.positionAt(document.getText().length) };
  const [action, ...others] = getCodeActions(document, { range, context: { diagnostics: [] } }, SETTINGS);
  expect(others).toEqual([]);
  expect(TextDocument.applyEdits(document, action?.edit?.changes?.[document.uri] ?? [])).toBe('properties["a"] > 5');
});

it('`onwhere check --fix` leaves out what makes no difference', async () => {
  const { out, err } = await runCli([
    'check',
    '--fix',
    '--use',
    'where',
    'properties["a"] > 5 and properties["a"] > 3',
  ]);
  expect(out).toBe('properties["a"] > 5\n');
  expect(err).toContain('removed `and properties["a"] > 3` [redundant-condition]');
});
