import { isJsonObject } from '../../base/json.ts';
import { tryParseJson } from '../../data/try-parse-json.ts';
import { formatServerCommand, quoteForShell } from '../shared/command-line.ts';
import {
  ApiError,
  type KnownSavedFilter,
  type QueryApi,
  type RequestParameters,
  type ShellCommand,
} from '../shared/query-api.ts';

/** Client of the HTTP API, with the secret of the page. */
export class ServerApi implements QueryApi {
  readonly hasAnnotations = true;
  readonly emptyHint = 'The project has no events yet. Import some with onwhere import.';

  constructor(private readonly secret: () => string) {}

  get obstacle(): string | undefined {
    return this.secret() === '' ? 'Enter the project secret.' : undefined;
  }

  post(path: string, parameters: RequestParameters, signal?: AbortSignal): Promise<unknown> {
    return this.fetch(toUrl(path), { ...toPost(parameters), ...(signal && { signal }) }, readJson);
  }

  async listSavedFilters(): Promise<readonly KnownSavedFilter[]> {
    const response = await this.fetch(new URL('segments', new URL('.', location.href)).href, {}, readJson);
    return (response as { readonly data: readonly KnownSavedFilter[] }).data;
  }

  readLines(path: string, parameters: RequestParameters, limit: number): Promise<readonly string[]> {
    return this.fetch(toUrl(path), toPost(parameters), (response) => readFirstLines(response, limit));
  }

  /** @throws {ApiError} if the response is an error or no such text, or there is none. */
  private async fetch<Body>(
    url: string,
    request: RequestInit,
    read: (response: Response) => Promise<Body>,
  ): Promise<Body> {
    try {
      const response = await fetch(url, {
        ...request,
        // Keeps the browser from opening its own login dialog.
        credentials: 'omit',
        headers: { Authorization: `Basic ${encodeBase64(`${this.secret()}:`)}` },
      });
      if (response.ok) return await read(response);
      const message = readErrorMessage(await response.text());
      throw new ApiError(response.status, message ?? `The server returned status ${response.status}.`);
    } catch (error) {
      if (error instanceof TypeError) throw new ApiError(0, 'The server cannot be reached.');
      if (error instanceof SyntaxError)
        throw new ApiError(0, 'The response is not JSON. Is there a proxy before the server?');
      throw error;
    }
  }

  formatCommands(path: string, parameters: RequestParameters): readonly ShellCommand[] {
    return [
      {
        name: 'onwhere',
        title: 'onwhere command',
        text: formatServerCommand(new URL('.', location.href).href, path, parameters),
      },
      { name: 'curl', title: 'curl command', text: formatCurlCommand(path, parameters) },
    ];
  }
}

function toPost(parameters: RequestParameters): RequestInit {
  return { method: 'POST', body: new URLSearchParams(parameters.map(([name, value]) => [name, value])) };
}

async function readJson(response: Response): Promise<unknown> {
  return JSON.parse(await response.text());
}

/** Formats a request as a `curl` command for a shell. A variable holds the secret. */
function formatCurlCommand(path: string, parameters: RequestParameters): string {
  const data = parameters.map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`);
  return ['curl -u "$ONWHERE_SECRET:"', quoteForShell(toUrl(path)), ...data].join(' \\\n  ');
}

/** Returns the URL of an endpoint. The server serves the page and the API below the same path. */
function toUrl(path: string): string {
  return new URL(`api/2.0/${path}/`, new URL('.', location.href)).href;
}

/** Reads a text up to a number of lines. The server need not send the rest. */
async function readFirstLines({ body }: Response, limit: number): Promise<readonly string[]> {
  const lines: string[] = [];
  let rest = '';
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (!done && lines.length < limit) continue;
    void reader?.cancel();
    return (rest === '' ? lines : [...lines, rest]).slice(0, limit);
  }
}

function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function readErrorMessage(body: string): string | undefined {
  const json = tryParseJson(body);
  return isJsonObject(json) && typeof json.error === 'string' ? json.error : undefined;
}
