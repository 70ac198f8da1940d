const PAGE_NUMBER = /^[1-9][0-9]{0,3}$/;

/** The number of the page of a list that somebody wants to see, from one; the first for whatever is no such number. */
export function readPageNumber(text: string): number {
  return PAGE_NUMBER.test(text) ? Number(text) : 1;
}
