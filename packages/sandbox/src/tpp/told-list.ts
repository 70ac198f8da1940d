import { isJsonObject } from "@cobs/service-edge/json";
import { type ApiAccess, callResource, type ResourceCall } from "./call-resource.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** Which page of a list, in which order and language, as on the command line. */
export interface PageOptions {
  readonly page?: string | undefined;
  readonly size?: string | undefined;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  /** Sent as `Accept-Language`. */
  readonly language?: string | undefined;
}

/** Members of every page from the API. */
export interface ToldPage {
  readonly pageNumber: number;
  readonly pageCount: number;
  readonly nextPage?: number | null;
  readonly totalCount?: number | null;
}

/** Reads a list; refuses with `refused`, in the server's words or because the answer has no list of that name. */
export async function callForList<List>(access: ApiAccess, call: ResourceCall, name: string): Promise<List> {
  const told = await callResource(access, call);
  if (hasList<List>(told, name)) return told;
  throw new TppRefusal("refused", `the answer is not a list of ${name}`);
}

/**
 * Says which page it is, of how many, counted from one, how many things all pages have, and which option asks for the next
 * page, because the API counts from zero.
 */
export function presentPage(
  { pageNumber, pageCount, nextPage, totalCount }: ToldPage,
  shown: number,
  thing: string,
): string {
  const count = totalCount ?? shown;
  const next = typeof nextPage === "number" ? `; the next: --page ${nextPage}` : "";
  return `page ${pageNumber + 1} of ${Math.max(pageCount, 1)}, ${count} ${count === 1 ? thing : `${thing}s`} in all${next}`;
}

function hasList<List>(value: unknown, name: string): value is List {
  return isJsonObject(value) && Array.isArray(value[name]);
}
