import type { CoreAnswer } from "../bank/http-connector/core-exchange.ts";
import { isJsonObject, type JsonObject } from "../bank/http-connector/json-members.ts";
import { requireSo } from "./kit-check.ts";

/** What a refusal must be; `of` names the question for the developer. */
export interface WantedProblem {
  readonly status: number;
  readonly code: string;
  readonly of: string;
}

/** Reads problem details with the code of the contract (RFC 9457); throws a `Shortcoming` for anything else. */
export function requireProblem(answer: CoreAnswer, { status, code, of }: WantedProblem): JsonObject {
  requireSo(answer.status === status, `${of} was answered with ${answer.status}, not ${status}`);
  const type = answer.header("content-type") ?? "no media type";
  requireSo(
    /^application\/problem\+json\b/i.test(type),
    `${of} was refused as ${type}, not as problem details`,
  );
  const problem = parse(answer.body);
  requireSo(isJsonObject(problem), `${of} was refused with something else than an object`);
  requireSo(problem.code === code, `${of} was refused without the code ${code}`);
  return problem;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
