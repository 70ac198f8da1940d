import type { DocumentedPsu } from "../sandbox-folder/sandbox-document.ts";
import { shellWord } from "../terminal/shell-word.ts";

/** What to try a sandbox's core system with. */
export interface CoreTrial {
  /** Path of the folder of certificates. */
  readonly certificates: string;
  readonly psus: readonly Pick<DocumentedPsu, "psuId" | "accounts">[];
}

/** Tells where a core system is, how to configure resource for it, and how to run the kit against it. */
export function presentCore(url: string, { certificates, psus }: CoreTrial): string {
  const [psu = "ID", otherPsu = "ID"] = psus.map(({ psuId }) => psuId);
  const payee = psus[1]?.accounts[0]?.iban ?? "IBAN";
  const file = (name: string) => shellWord(`${certificates}/${name}`);
  const files = [
    `--authority ${file("private-ca.pem")}`,
    `--certificate ${file("bank/resource.pem")} --key ${file("bank/resource.key")}`,
  ];
  return [
    "",
    `The demo bank is a core system at ${url}`,
    "",
    "Resource asks it with",
    `  BANK=http CORE_URL=${url} CORE_AUTHORITY_FILE=${file("private-ca.pem")}`,
    "",
    "The test kit of the contract asks it with",
    `  npm run connector-kit -- ${url} --psu ${psu} --other-psu ${otherPsu} \\`,
    `    ${files.join(" \\\n    ")}`,
    "",
    "It only reads. To have it make six payments of one unit of money to an account of the second PSU too, add",
    `  --payee ${payee}`,
    "",
  ].join("\n");
}
