import type { PsuId } from "@cobs/cobs-model";
import { type OnBehalf, PrivateServiceUnavailable } from "@cobs/service-edge";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import { validUntil } from "../consent/consent.ts";
import { singleField } from "../forms/form-fields.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import { requireOwnForm } from "../forms/require-own-form.ts";
import { WHOLE_LIST } from "../pages/account-list.ts";
import { askingOf } from "../pages/asking-of.ts";
import type { ConsentView } from "../pages/page-view.ts";
import { endOfFreshness, isFresh } from "../psu-session/psu-session.ts";
import { authenticate } from "../sealing/sealing.ts";
import { readConsentChoice } from "./consent-choice.ts";
import { bindingOf, formTarget, interactionPath } from "./interaction-path.ts";
import type { JourneyAnswer, JourneyParts, Visit } from "./journey.ts";
import {
  type ConsentDecision,
  type PendingAuthorization,
  PendingAuthorizationGone,
} from "./pending-authorization.ts";

/** A visit of a PSU whose sign-in still counts. */
interface SignedIn {
  readonly pending: PendingAuthorization;
  readonly authenticatedAt: Date;
}

/** What the page reads, anew each time. */
interface Read extends Pick<ConsentView, "former" | "psu"> {
  readonly accounts: readonly PsuAccount[];
}

/** What the page shows, read anew, and what the PSU has decided on it already; or the answer to give instead. */
type Facts =
  | { readonly view: ConsentView; readonly stored: ConsentDecision | undefined }
  | { readonly instead: JourneyAnswer };

/**
 * Shows the consent page. Where a decision was stored and neither PSU nor application learned of it, as when the database went
 * away right after, it leads on with that: it counts already, so the PSU is not asked again.
 */
export async function showConsent(parts: JourneyParts, visit: Visit): Promise<JourneyAnswer> {
  const facts = await readFacts(parts, visit);
  if ("instead" in facts) return facts.instead;
  const { view, stored } = facts;
  if (stored === undefined) return { show: "consent", view };
  const { accounts, services } = stored;
  return { show: "nothing", location: await visit.finish.consent({ accounts, services }) };
}

/**
 * Takes the consent form, or shows another part of a long list of accounts with what was ticked so far. Everything that is stored
 * was just read again; the form only picks from it. Refuses with `form_untrusted` or `form_malformed`; throws
 * `PendingAuthorizationGone`.
 */
export async function takeConsentForm(
  parts: JourneyParts,
  visit: Visit,
  form: PostedForm,
): Promise<JourneyAnswer> {
  requireOwnForm(form, parts.formKey, bindingOf(visit.pending, "consent"));
  const facts = await readFacts(parts, visit);
  if ("instead" in facts) return facts.instead;
  const { view, stored } = facts;
  // To a page answered again, that its own answer was stored is no change; that another one was, `finish` refuses.
  const shown = stored === undefined ? view.form.shown : singleField(form.fields, "shown");
  const chosen = readConsentChoice(form.fields, { ...view, shown });
  if ("faults" in chosen) {
    // The untouched page in another language is a redirect: a browser can load it again, and come back to it.
    return singleField(form.fields, "go") === "language" && isUntouched(chosen)
      ? { show: "nothing", location: `${interactionPath(visit.pending)}?lang=${visit.language}` }
      : { show: "consent", view: { ...view, ...chosen } };
  }
  const decision = { accounts: chosen.accounts, services: view.scopes };
  return { show: "nothing", location: await visit.finish.consent(decision) };
}

function isUntouched({
  choice,
  ticked,
  list,
  faults,
}: Pick<ConsentView, "choice" | "ticked" | "list" | "faults">): boolean {
  const isWhole = list.query === "" && !list.onlyTicked && list.page === 1;
  return choice === undefined && ticked.length === 0 && isWhole && faults.length === 0;
}

async function readFacts(parts: JourneyParts, { pending, call }: Visit): Promise<Facts> {
  const { signIn, authenticatedAt } = pending;
  const idle = { instead: message(parts, pending, "session_idle") };
  if (signIn === undefined || authenticatedAt === undefined) return idle;
  if (!isFresh({ authenticatedAt }, parts.clock.now())) return idle;
  const { psu } = signIn;
  // All at once, because none depends on another, and the page needs all. The bank is not asked when no account is needed.
  const [counts, admitted, accounts, former, person] = await Promise.all([
    parts.sessions.counts(signIn),
    parts.blocks.admits({ psu, authenticatedAt }),
    pending.scopes.includes("aisp") ? findAccounts(parts, psu, call) : [],
    findFormer(parts, pending, psu),
    parts.login.find(psu),
  ]);
  if (!admitted) throw new PendingAuthorizationGone();
  if (!counts) return idle;
  if (accounts === undefined) return { instead: message(parts, pending, "accounts_unavailable") };
  if (accounts.length === 0 && pending.scopes.includes("aisp")) {
    return { instead: message(parts, pending, "accounts_none") };
  }
  return {
    view: viewOf(parts, { pending, authenticatedAt }, { accounts, former, psu: person }),
    stored: former && (await parts.consents.findGiven(pending.uid)),
  };
}

/** Undefined when the bank cannot tell at the moment. */
async function findAccounts(parts: JourneyParts, psu: PsuId, call: OnBehalf) {
  try {
    return await parts.psuAccounts.accountsOf(psu, call);
  } catch (error) {
    if (error instanceof PrivateServiceUnavailable) return undefined;
    throw error;
  }
}

function viewOf(
  parts: JourneyParts,
  { pending, authenticatedAt }: SignedIn,
  { accounts, former, psu }: Read,
): ConsentView {
  const content = {
    asking: askingOf(pending),
    former,
    psu,
    scopes: pending.scopes,
    accounts,
    validDays: parts.consentLifetimeDays,
    validUntil: validUntil(authenticatedAt, parts.consentLifetimeDays),
    decideBy: endOfFreshness({ authenticatedAt }),
  };
  const form = formTarget(parts.formKey, pending, "consent");
  const cancel = formTarget(parts.formKey, pending, "cancel");
  const shown = authenticate(parts.formKey, JSON.stringify(["shown", content])).toString("base64url");
  return {
    ...content,
    form: { ...form, shown },
    cancel,
    choice: undefined,
    ticked: [],
    list: WHOLE_LIST,
    faults: [],
  };
}

/** The consent that the application has already: the page says what becomes of it. */
async function findFormer({ consents }: JourneyParts, { application }: PendingAuthorization, psu: PsuId) {
  const present = await consents.findPresent(application.id, psu);
  if (present === undefined) return undefined;
  const { givenAt, validUntil, services, accounts } = present;
  return { givenAt, validUntil, services, accounts };
}

function message(
  parts: JourneyParts,
  pending: PendingAuthorization,
  key: "session_idle" | "accounts_unavailable" | "accounts_none",
): JourneyAnswer {
  const way = formTarget(parts.formKey, pending, "cancel");
  const cancel = { ...way, host: pending.redirectHost, because: key };
  const retry = key === "accounts_unavailable" ? { retryPath: interactionPath(pending) } : {};
  return { show: "message", view: { message: key, cancel, ...retry } };
}
