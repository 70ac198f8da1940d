/** Chooses how PSUs sign in, as configured. It only puts parts together and decides nothing itself. */
import type { ServiceParts } from "@cobs/service-edge";
import type { AuthConfiguration } from "./config.ts";
import type { Ephemeral } from "./ephemeral/open-ephemeral.ts";
import { deriveFormKey } from "./forms/form-token.ts";
import type { SignInNotices } from "./notices/sign-in-change.ts";
import { openUpstreamLogin } from "./open-upstream-login.ts";
import { createPasskeyStore } from "./psu/passkeys/passkey-store-postgres.ts";
import { createPasskeys, type Passkeys } from "./psu/passkeys/passkeys.ts";
import type { PsuLogin } from "./psu/psu-login.ts";
import {
  type AuthenticatorEnrolment,
  createAuthenticatorEnrolment,
} from "./psu/sandbox/authenticator-enrolment-postgres.ts";
import { createSandboxDirectory } from "./psu/sandbox/sandbox-directory-postgres.ts";
import { createSandboxLogin } from "./psu/sandbox/sandbox-login.ts";
import { createSignInPasskeys } from "./psu/sandbox/sign-in-passkeys.ts";
import { createLoginMetrics } from "./psu/upstream/login-metrics.ts";
import type { PsuBlocks } from "./psu-block/psu-blocks.ts";
import { createPsuSessions } from "./psu-session/psu-sessions.ts";
import type { SignInParts } from "./sign-in/sign-in.ts";
import { createSignInProgresses } from "./sign-in/sign-in-progress.ts";

/** What opening a login needs. `notices` serves our own login only: the bank's login tells PSUs of changes itself. */
export interface LoginOpening extends ServiceParts {
  readonly notices: SignInNotices;
}

/** Opens the configured login; for the sandbox's own login, also the enrolment of authenticators and the passkeys. */
export function openLogin(config: AuthConfiguration, parts: LoginOpening): OpenedLogin {
  const { psuLogin, sealingKey, bankName: issuer, passkeyRelyingParty: relyingParty } = config;
  const { database, clock, notices } = parts;
  // With every login, so that a process always has the same figures.
  const metrics = createLoginMetrics(parts.metrics);
  switch (psuLogin.login) {
    case "oidc": {
      const login = openUpstreamLogin(psuLogin.upstream, { ...parts, config, metrics });
      return { login, enrolment: undefined, passkeys: undefined };
    }
    case "sandbox": {
      const directory = createSandboxDirectory(database, sealingKey, psuLogin.passwordCost);
      const enrolment = createAuthenticatorEnrolment(database, { sealingKey, issuer, notices });
      const store = createPasskeyStore(database, notices);
      const passkeys = relyingParty && createPasskeys({ store, relyingParty, sealingKey });
      const ofSignIn = passkeys && createSignInPasskeys(passkeys, clock);
      const login = createSandboxLogin({ directory, enrolment, passkeys: ofSignIn });
      return { login, enrolment, passkeys };
    }
  }
}

/** A login, with the parts that only our own login has. */
export interface OpenedLogin {
  readonly login: PsuLogin;
  readonly enrolment: AuthenticatorEnrolment | undefined;
  /** Also undefined when the host of the pages cannot have passkeys (an IP address). */
  readonly passkeys: Passkeys | undefined;
}

/** What opening the sign-in needs. */
export interface SignInOpening extends ServiceParts {
  readonly ephemeral: Ephemeral;
  readonly login: PsuLogin;
  readonly psuBlocks: PsuBlocks;
}

/** Makes the parts with which every page signs PSUs in. */
export function openSignIn({ sealingKey, psuLogin }: AuthConfiguration, parts: SignInOpening): SignInParts {
  const { login, psuBlocks: blocks, clock } = parts;
  const { openStore } = parts.ephemeral;
  return {
    login,
    progresses: createSignInProgresses(openStore(), clock),
    sessions: createPsuSessions({
      sessions: openStore(),
      seen: openStore(),
      signIns: openStore(),
      stays: openStore(),
      presentSessions: openStore(),
      othersEnded: openStore(),
      blocks,
      clock,
      login: psuLogin.login,
    }),
    formKey: deriveFormKey(sealingKey),
    clock,
  };
}
