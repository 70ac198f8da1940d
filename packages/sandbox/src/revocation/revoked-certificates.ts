import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RevocationReason, revocationReasons } from "../certificates/crl.ts";
import { inTurn } from "../files/in-turn.ts";
import { jsonMembers, parseJson } from "../files/json-members.ts";
import { keepWhole } from "../files/write-whole.ts";
import { ifMissing } from "../processes/error-codes.ts";

/** A revoked certificate of the test CA. */
export type RevokedCertificate = {
  /** Hexadecimal, upper case, no leading zero octet. */
  readonly serialNumber: string;
  readonly revokedAt: Date;
  readonly reason: RevocationReason;
};

/** The certificates that a test CA has revoked: `revoked.json` in its folder, read each time. */
export interface RevokedCertificates {
  list(): Promise<readonly RevokedCertificate[]>;
  /** Revokes a certificate, or changes the reason; the time of the first revocation stays. */
  revoke(serialNumber: string, reason: RevocationReason, now: Date): Promise<void>;
  /** Undoes a revocation, as an authority may for a certificate on hold; false if it was not revoked. */
  release(serialNumber: string): Promise<boolean>;
}

/** Opens the list in a folder of certificates; concurrent writers wait for each other. */
export function openRevokedCertificates(directory: string): RevokedCertificates {
  const file = join(directory, "revoked.json");
  const write = (all: readonly RevokedCertificate[]) =>
    keepWhole(file, `${JSON.stringify(all, null, 2)}\n`, 0o644);
  const list = async () => {
    const text = await readFile(file, "utf8").catch(ifMissing("[]"));
    const all = parseJson(text, file);
    if (!Array.isArray(all)) throw new TypeError(`${file}: must be a list`);
    return all.map((entry: unknown, at) => parseRevoked(entry, `${file}[${at}]`));
  };
  return {
    list,
    revoke: (serialNumber, reason, now) =>
      inTurn(file, async () => {
        const all = await list();
        const known = all.find((each) => each.serialNumber === serialNumber);
        const revoked = { serialNumber, revokedAt: known?.revokedAt ?? now, reason };
        await write([...all.filter((each) => each !== known), revoked]);
      }),
    release: (serialNumber) =>
      inTurn(file, async () => {
        const all = await list();
        const left = all.filter((each) => each.serialNumber !== serialNumber);
        if (left.length < all.length) await write(left);
        return left.length < all.length;
      }),
  };
}

function parseRevoked(entry: unknown, place: string): RevokedCertificate {
  const members = jsonMembers(entry, place);
  const revokedAt = new Date(members.text("revokedAt"));
  if (Number.isNaN(revokedAt.getTime())) throw new TypeError(`${place}: revokedAt must be a time`);
  return {
    serialNumber: members.text("serialNumber"),
    revokedAt,
    reason: members.oneOf("reason", revocationReasons),
  };
}
