/** Parameters of a request, by their names in the HTTP API. */
export type RequestParameters = readonly (readonly [name: string, value: string])[];

/** An error response of the server. The message can be shown to people. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 if the server did not respond. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Client of the HTTP API, with the secret from the form. */
export class ConsoleApi {
  constructor(private readonly secret: () => string) {}

  /**
   * Sends a request to an endpoint below `/api/2.0/` and returns the parsed JSON of the response.
   *
   * @throws {ApiError} if the server responds with an error, or not at all.
   * @throws {DOMException} if the signal aborts the request.
   */
  async post(path: string, parameters: RequestParameters, signal?: AbortSignal): Promise<unknown> {
    try {
      const response = await fetch(toUrl(path), {
        method: 'POST',
        // Keeps the browser from opening its own login dialog.
        credentials: 'omit',
        headers: { Authorization: `Basic ${encodeBase64(`${this.secret()}:`)}` },
        body: new URLSearchParams(parameters.map(([name, value]) => [name, value])),
        ...(signal && { signal }),
      });
      const body = await response.text();
      if (response.ok) return JSON.parse(body);
      throw new ApiError(response.status, readErrorMessage(body) ?? `The server returned status ${response.status}.`);
    } catch (error) {
      if (error instanceof TypeError) throw new ApiError(0, 'The server cannot be reached.');
      throw error;
    }
  }
}

/** Formats a request as a `curl` command for a shell. A variable holds the secret. */
export function formatCurlCommand(path: string, parameters: RequestParameters): string {
  const data = parameters.map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`);
  return ['curl -u "$ONWHERE_SECRET:"', quoteForShell(toUrl(path)), ...data].join(' \\\n  ');
}

/** Returns the URL of an endpoint. The server serves the page and the API below the same path. */
function toUrl(path: string): string {
  return new URL(`api/2.0/${path}/`, new URL('.', location.href)).href;
}

/** Quotes a word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function readErrorMessage(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body);
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
