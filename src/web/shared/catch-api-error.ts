import { ApiError } from './query-api.ts';

/** Waits for a request, and returns its error instead of throwing it. */
export async function catchApiError<Value>(work: Promise<Value>): Promise<Value | ApiError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
