import type { PsuId } from "@cobs/cobs-model";
import { CoreUnavailable, type CoreUnavailableCode } from "../bank/core-unavailable.ts";
import { ENDED_WITHOUT_ANSWER } from "../bank/http-connector/core-exchange.ts";
import { askAccounts } from "../bank/http-connector/core-questions.ts";
import { CannotRun } from "./kit-check.ts";
import type { KitScene } from "./kit-scene.ts";

/**
 * Requires that the core system answers the first question, and that the PSUs have accounts: otherwise checks would pass, or
 * show nothing, for the wrong reason. Throws `CannotRun`. A wrong answer is left to the checks.
 */
export async function requireRunnable({ core, psu, otherPsu }: KitScene): Promise<void> {
  await requireAccounts(core, psu);
  if (otherPsu !== undefined) await requireAccounts(core, otherPsu);
}

async function requireAccounts(core: KitScene["core"], psu: PsuId): Promise<void> {
  try {
    const found = await core.ask(askAccounts(psu));
    if (found.length === 0) throw new CannotRun(`the PSU ${psu} has no account at this core system`);
  } catch (error) {
    if (!(error instanceof CoreUnavailable)) throw error;
    const what = NO_ANSWERS[error.code];
    if (what !== undefined) throw new CannotRun(`${what}: ${explain(error.detail)}`);
  }
}

/** Table: reasons why the first question got no answer. */
const NO_ANSWERS: Readonly<Partial<Record<CoreUnavailableCode, string>>> = {
  core_unreachable: "no connection to the core system",
  core_timed_out: "the core system does not answer the first question",
  answer_refused: "the core system refuses the holder of --certificate",
  answer_throttled: "the core system does not answer the first question",
  answer_status: "the core system does not answer the first question",
};

/** Table: network and TLS faults, in words for the person who runs the kit. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at this address",
  ENOTFOUND: "the host is unknown",
  ECONNRESET: "it ends the connection, perhaps because it does not trust --certificate",
  [ENDED_WITHOUT_ANSWER]: "perhaps it does not trust --certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS at this port",
  CERT_HAS_EXPIRED: "its certificate, or the authority of it, has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate was not issued by --authority, but by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate was not issued by --authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate was not issued by --authority",
};

function explain(detail: string): string {
  const reason = REASONS[detail];
  return reason === undefined ? detail : `${reason} (${detail})`;
}
