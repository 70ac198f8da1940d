import { randomBytes } from "node:crypto";

type RandomId = string & { readonly brand: string };

const FORM = /^[A-Za-z0-9_-]{22}$/;

/** Parses an id that was made here, from a path, a form or a store; undefined when it has another form. */
export function parseRandomId<Id extends RandomId>(text: unknown): Id | undefined {
  return typeof text === "string" && FORM.test(text) ? (text as Id) : undefined;
}

/** Makes a new id of 128 random bits. */
export function createRandomId<Id extends RandomId>(): Id {
  return randomBytes(16).toString("base64url") as Id;
}
