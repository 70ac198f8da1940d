import type { CoreAnswer } from "../bank/http-connector/core-exchange.ts";
import { isJsonObject, type JsonObject, UnbelievableAnswer } from "../bank/http-connector/json-members.ts";
import { readProblem } from "../bank/http-connector/judge-answer.ts";
import { requireSo, Shortcoming } from "./kit-check.ts";

/** The wanted refusal; `of` names the question for the developer. */
export interface WantedProblem {
  readonly status: number;
  readonly code: string;
  readonly of: string;
}

/** Reads problem details with a code of the contract, as the connector does; throws a `Shortcoming` for anything else. */
export function requireProblem(answer: CoreAnswer, { status, code, of }: WantedProblem): JsonObject {
  requireSo(answer.status === status, `${of} was answered with ${answer.status}, not ${status}`, answer);
  const problem = read(answer, of);
  requireSo(isJsonObject(problem), `${of} was refused with something that is not an object`, answer);
  requireSo(problem.code === code, `${of} was refused without the code ${code}`, answer);
  return problem;
}

function read(answer: CoreAnswer, of: string): unknown {
  try {
    return readProblem(answer);
  } catch (error) {
    if (!(error instanceof UnbelievableAnswer)) throw error;
    throw new Shortcoming(
      `${of} was refused with ${answer.status}: ${error.message} (clause ${error.clause})`,
      answer,
    );
  }
}
