/** The units of the length of a funnel, in seconds. */
export const LENGTH_UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

export type LengthUnit = keyof typeof LENGTH_UNITS;
