import { thumbprintOf } from "./certificate-thumbprint.ts";
import type { Psd2Statement } from "./psd2/psd2-statement.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import { twinThumbprintOf } from "./twin-thumbprint.ts";
import type { Certificate } from "./x509/certificate.ts";
import { presentName } from "./x509/distinguished-name.ts";

/** Combines what has been proven about a TPP; proves nothing itself. */
export function describeTpp(
  { leaf, issuer }: { readonly leaf: Certificate; readonly issuer: Certificate },
  { authority, roles }: Psd2Statement,
  names: Pick<TppIdentity, "organisationIdentifier" | "organisationName">,
): TppIdentity {
  return Object.freeze({
    ...names,
    country: authority.id.slice(0, 2),
    authority,
    roles,
    thumbprint: thumbprintOf(leaf.der),
    twinThumbprint: twinThumbprintOf(leaf, issuer),
    serialNumber: leaf.serialNumber,
    issuer: presentName(leaf.issuer),
    notBefore: leaf.notBefore,
    notAfter: leaf.notAfter,
  });
}
