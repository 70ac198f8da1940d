import type { SandboxFacts } from "../sandbox-folder/sandbox-document.ts";
import type { ServiceEnvironment } from "./service-environment.ts";

/** An integrator's own systems that auth uses in place of the sandbox's. */
export type OwnParts = Pick<SandboxFacts, "login" | "delivery">;

/** The systems that the variables for auth name; auth checks whether these are complete. */
export function ownPartsOf(forAuth: ServiceEnvironment): OwnParts {
  const { PSU_LOGIN, UPSTREAM_ISSUER, DELIVERY_URL } = forAuth;
  const login = PSU_LOGIN === "oidc" ? UPSTREAM_ISSUER : undefined;
  return { login: login ?? null, delivery: DELIVERY_URL ?? null };
}

/** Says what is used in place of the sandbox's own, and what therefore does not work. */
export function tellOwnParts({ login, delivery }: OwnParts, say: (line: string) => void): void {
  if (login !== null)
    say(
      `PSUs sign in at ${login}; the demo PSUs cannot: npm run tpp -- demo, code, psu and --psu do not work`,
    );
  if (delivery !== null)
    say(
      `codes and notices go to ${delivery}; there are no inboxes: npm run tpp -- sign --psu does not work, nor the payment of demo`,
    );
}
