const PAGE_NUMBER = /^[1-9][0-9]{0,3}$/;

/** Reads the number of a page of a list, from 1; anything that is not such a number gives the first page. */
export function readPageNumber(text: string): number {
  return PAGE_NUMBER.test(text) ? Number(text) : 1;
}
