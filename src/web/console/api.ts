/** The parameters of a request, by their published names. */
export type RequestParameters = readonly (readonly [name: string, value: string])[];

/** An error that the server answered, or that it did not answer. The message is for people. */
export class ApiError extends Error {
  constructor(
    /** The HTTP status; 0 if there was no response. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the HTTP interface with the secret that the user typed. */
export class ConsoleApi {
  constructor(private readonly secret: () => string) {}

  /**
   * Calls an endpoint below `/api/2.0/` and returns its JSON.
   *
   * @throws {ApiError} if the server answers an error or cannot be reached.
   * @throws {DOMException} if the signal cancels the request.
   */
  async call(path: string, parameters: RequestParameters, signal?: AbortSignal): Promise<unknown> {
    try {
      const response = await fetch(resolveUrl(path), {
        method: 'POST',
        // Keeps the browser from opening its own password dialog.
        credentials: 'omit',
        headers: { Authorization: `Basic ${encodeBase64(`${this.secret()}:`)}` },
        body: new URLSearchParams(parameters.map(([name, value]) => [name, value])),
        ...(signal && { signal }),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      throw new ApiError(
        response.status,
        readErrorMessage(text) ?? `The server answered with status ${response.status}.`,
      );
    } catch (error) {
      if (error instanceof TypeError) throw new ApiError(0, 'Cannot reach the server.');
      throw error;
    }
  }
}

/** Returns the request as a shell command, with the secret in a variable. */
export function formatCurlCommand(path: string, parameters: RequestParameters): string {
  const data = parameters.map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`);
  return ['curl -u "$ONWHERE_SECRET:"', quoteForShell(resolveUrl(path)), ...data].join(' \\\n  ');
}

/** Returns the URL of an endpoint, which is on the server of the page. */
function resolveUrl(path: string): string {
  return new URL(`api/2.0/${path}/`, new URL('.', location.href)).href;
}

function quoteForShell(text: string): string {
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
