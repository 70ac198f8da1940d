/** Told of each look-up in a cache, for figures of its use. */
export interface CacheCount {
  hit(): void;
  missed(): void;
}

/** Takes the name of a cache and how many entries it has; one that takes the place of another has its name. */
export type CountCache = (name: string, entries: () => number) => CacheCount;

/** Counts nothing. */
export const countNothing: CountCache = () => ({ hit: () => {}, missed: () => {} });
