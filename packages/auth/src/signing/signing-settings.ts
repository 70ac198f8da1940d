import type { ConfigurationReader, Variable } from "@cobs/service-edge";

/** The way by which codes and notices reach PSUs. Without one no order is taken. */
export type DeliverySettings =
  | { readonly kind: "service"; readonly url: URL }
  /** A page of ours in place of the phone, in the sandbox alone. */
  | { readonly kind: "inbox" }
  | { readonly kind: "none" };

/** How orders are signed. */
export interface SigningSettings {
  readonly delivery: DeliverySettings;
  /** Sent to one PSU, whatever the orders. */
  readonly codesPerHour: number;
}

/** The variables of signing. */
export const SIGNING_VARIABLES: readonly Variable[] = [
  {
    name: "DELIVERY_URL",
    meaning:
      "Where codes that approve payments, and notices of a changed sign-in, are posted for delivery to PSUs: a service of the bank, certified by the private CA and called with our client certificate. Absent: an inbox page in the sandbox; elsewhere no payment can be approved",
    optional: true,
  },
  {
    name: "CODES_PER_HOUR",
    meaning: "How many codes a PSU is sent in an hour, for whatever payments",
    default: "30",
  },
];

/** Reads them. */
export function readSigningSettings(read: ConfigurationReader): SigningSettings {
  return read.together<SigningSettings>({
    delivery: () => readDelivery(read),
    codesPerHour: () => read.integer("CODES_PER_HOUR", { min: 1, max: 1_000 }),
  });
}

function readDelivery(read: ConfigurationReader): DeliverySettings {
  const name = "DELIVERY_URL";
  if (read.optionalText(name) === undefined)
    return { kind: read.text("MODE") === "sandbox" ? "inbox" : "none" };
  const url = read.url(name, ["https:"]);
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    read.fault(`${name} must have neither credentials nor a fragment`);
  }
  return { kind: "service", url };
}
