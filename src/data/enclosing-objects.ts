import { decodeUtf8, joinBytes } from '../base/bytes.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { HeldRecord } from './held-record.ts';
import { tryParseJson } from './try-parse-json.ts';

/**
 * The objects in lists around a list of records, as far as they are before it: in
 * `{"orders": [{"id": 1, "items": [{"sku": "A"}]}]}`, the order with its id.
 */
export class EnclosingObjects {
  /** The level of the object that is being read; undefined between objects. */
  level: number | undefined;
  private readonly held = new HeldRecord();
  /** The objects whose lists are being read, by level. */
  private readonly objects: (JsonObject | undefined)[] = [];

  /** Begins an object at a level. */
  open(level: number): void {
    this.level = level;
    this.held.take();
    this.objects.length = Math.min(this.objects.length, level);
  }

  /** Adds bytes of the object that is being read. */
  add(bytes: Uint8Array): void {
    this.held.add(bytes);
  }

  /** Ends the object at a level. */
  close(level: number): void {
    if (level === this.level) this.level = undefined;
    this.objects.length = Math.min(this.objects.length, level);
  }

  /**
   * Ends the object that is being read at the bracket of a list in it, after the bytes before this bracket are added.
   *
   * @param names the names that lead from the object to the list
   * @returns false if the object is too long to be kept
   */
  enterList(names: readonly string[]): boolean {
    const { level = 0 } = this;
    this.level = undefined;
    const parts = this.held.take();
    const text = parts && decodeUtf8(joinBytes(parts));
    const json = text === undefined ? undefined : tryParseJson(`${text}[]${'}'.repeat(names.length)}`);
    this.objects[level] = isJsonObject(json) ? omit(json, names) : undefined;
    return parts !== undefined;
  }

  /** Returns the members of the objects around the current list, inner ones first; undefined if there are none. */
  read(): JsonObject | undefined {
    const members = this.objects.flatMap((object) => (object === undefined ? [] : Object.entries(object)));
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
}

/** Returns an object without the member to which names lead. */
function omit(object: JsonObject, [name, ...others]: readonly string[]): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    if (key !== name) return [[key, value]];
    return others.length > 0 && isJsonObject(value) ? [[key, omit(value, others)]] : [];
  });
  return Object.fromEntries(entries);
}
