import { askingOf, redirectHostOf } from "../pages/asking-of.ts";
import type { Asking } from "../pages/page-view.ts";
import { isRegisteredReturn, returnLocation } from "../signing/return-url.ts";
import type { SigningTerms } from "../signing/signing-request.ts";
import type { ApprovalParts } from "./approval.ts";

/**
 * The TPP that sent the order, named as in its last verified certificate, and where the PSU goes back to. Undefined when nothing
 * can be approved any more, because the application was deleted, or gave up payments or the return address: we do not know who
 * has that address now.
 */
export async function findApprovalAsking(
  { applications, tpps }: Pick<ApprovalParts, "applications" | "tpps">,
  request: SigningTerms,
): Promise<Asking | undefined> {
  const application = await applications.findById(request.applicationId);
  const tpp = await tpps.find(request.organisationIdentifier);
  if (application === undefined || tpp === undefined || application.owner !== tpp.organisationIdentifier)
    return undefined;
  if (!application.scopes.includes("pisp") || !isRegisteredReturn(request.returnUrl, application))
    return undefined;
  return askingOf({ tpp, application, redirectHost: returnLink(request).host });
}

/**
 * The return link from a decided order. Undefined when the PSU must not be sent there: the TPP is blocked, or a certificate with
 * which it sent the order, or the application is gone or has given up the address (RFC 9700 4.1.3).
 */
export async function findReturnLink(
  { applications, stopList, store }: Pick<ApprovalParts, "applications" | "stopList" | "store">,
  request: SigningTerms,
): Promise<ReturnLink | undefined> {
  const { organisationIdentifier, applicationId, returnUrl } = request;
  const [blocked, hasBlockedCertificate, application] = await Promise.all([
    stopList.findBlocked({ organisationIdentifier, thumbprint: undefined }),
    store.hasBlockedCertificate(request),
    applications.findById(applicationId),
  ]);
  const isThere = application !== undefined && isRegisteredReturn(returnUrl, application);
  return blocked === undefined && !hasBlockedCertificate && isThere ? returnLink(request) : undefined;
}

/** Where a PSU goes back to, and its host for them to read. */
interface ReturnLink {
  readonly href: string;
  readonly host: string;
}

/** The return link to the TPP. */
export function returnLink(request: SigningTerms): ReturnLink {
  const href = returnLocation(request);
  return { href, host: redirectHostOf(href) };
}
