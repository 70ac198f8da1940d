/** Counts look-ups in a cache. */
export interface CacheCount {
  hit(): void;
  missed(): void;
}

/**
 * Registers a cache by name, with a function that returns its number of entries; a cache that replaces another uses its name.
 */
export type CountCache = (name: string, entries: () => number) => CacheCount;

/** A counter that counts nothing. */
export const countNothing: CountCache = () => ({ hit: () => {}, missed: () => {} });
