import type { StoredVersion } from '../store.ts';
import type { ChangePart } from './promotions.ts';
import { extendRollups, type RollupLimits } from './rollups.ts';

/** How many times the events must have grown since the rollups were last extended. Queries scan the others. */
const GROWTH = 1.1;

/** Decides when rollups are extended. */
export class RollupExtensions {
  /** The number of events when all were counted, by version ID. */
  private readonly extendedAt = new Map<string, number>();

  constructor(
    private readonly change: ChangePart,
    private readonly limits: RollupLimits,
  ) {}

  /** Adds the next part of the events of a version to its rollups. Returns whether there was one. */
  async extend(version: StoredVersion, events: number): Promise<boolean> {
    if (events < Math.max(this.limits.minEvents, GROWTH * (this.extendedAt.get(version.id) ?? 0))) return false;
    const isExtended = await this.change(version, (connection, schema) =>
      extendRollups(connection, schema, this.limits),
    );
    if (isExtended !== true) this.extendedAt.set(version.id, events);
    return isExtended === true;
  }

  /** Forgets when a version was last extended, because it was dropped or its rollups may have been. */
  forget(versionId: string): void {
    this.extendedAt.delete(versionId);
  }
}
