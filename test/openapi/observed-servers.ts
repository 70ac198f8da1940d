/** Test servers whose answers are observed, whoever makes the call. */
import type { ErrorStage } from "../auth/errors/error-stage.ts";
import type { RunningAuth } from "../auth/running-auth.ts";
import type { RunningResource } from "../resource/running-resource.ts";
import type { Observation } from "./check-answer.ts";

/** An authorization server, observed on both hosts that TPPs see. */
export function observedAuth(auth: RunningAuth, observation: Observation): RunningAuth {
  return {
    ...auth,
    call: async (call) => {
      const answer = await auth.call(call);
      observation.take("https://localhost:8444", call, answer);
      return answer;
    },
    browse: async (call) => {
      const answer = await auth.browse(call);
      observation.take("https://localhost:8443", call, answer);
      return answer;
    },
  };
}

/** A resource server, observed. */
export function observedResource(resource: RunningResource, observation: Observation): RunningResource {
  return {
    ...resource,
    call: async (call) => {
      const answer = await resource.call(call);
      observation.take("https://localhost:9443", call, answer);
      return answer;
    },
  };
}

/** A stage of errors, with all its servers observed. */
export function observedStage(stage: ErrorStage, observation: Observation): ErrorStage {
  const { auth, severed, strict, limited, silent } = stage;
  return {
    ...stage,
    auth: observedAuth(auth, observation),
    severed: observedAuth(severed, observation),
    strict: observedAuth(strict, observation),
    limited: { ...limited, auth: observedAuth(limited.auth, observation) },
    silent: { ...silent, auth: observedAuth(silent.auth, observation) },
  };
}
