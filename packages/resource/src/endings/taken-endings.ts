import type { Beginning, EndingBatch, EndingTaker, Place, PositionedEnding } from "./ending.ts";

/** How far the events of the feed were taken. */
export interface TakenEndings {
  /** Place of the last event that was taken; undefined before the beginning. */
  place(): Place | undefined;
  /** Makes all takers forget everything, and goes on from this place. */
  begin(beginning: Beginning): void;
  /**
   * Takes the events of a batch that was asked for `after` a position, and returns the position up to which all are taken by
   * now; undefined when there is a gap, up to which everything was taken. Events that another question already brought are
   * skipped.
   */
  takeAll(batch: EndingBatch, after: number): number | undefined;
}

/** Hands the events of auth's feed to the takers, each once and in order. */
export function takeEndings(takers: readonly EndingTaker[]): TakenEndings {
  let place: Place | undefined;

  /** Returns false when events before this one are missing. */
  function takeOnce({ position, mark, ending }: PositionedEnding): boolean {
    if (place === undefined || position > place.position + 1) return false;
    if (position <= place.position) return true;
    for (const taker of takers) taker.take(ending);
    place = { position, mark };
    return true;
  }

  return {
    place: () => place,
    begin: ({ blocked, position, mark }) => {
      for (const taker of takers) taker.begin(blocked);
      place = { position, mark };
    },
    takeAll: ({ endings, head }, after) => {
      let expected = after;
      for (const each of endings) {
        expected += 1;
        if (each.position !== expected || !takeOnce(each)) return undefined;
      }
      const isWhole = head === expected || (head > expected && endings.length > 0);
      return isWhole ? place?.position : undefined;
    },
  };
}
