import type { ConfigurationReader, Variable } from "@cobs/service-edge";

/** How codes and notices reach PSUs. With `none`, no order is accepted. */
export type DeliverySettings =
  | { readonly kind: "service"; readonly url: URL }
  /** A page of auth in place of the phone, in the sandbox only. */
  | { readonly kind: "inbox" }
  | { readonly kind: "none" };

/** Settings of payment signing. */
export interface SigningSettings {
  readonly delivery: DeliverySettings;
  /** Codes that one PSU is sent per hour at most, for all orders together. */
  readonly codesPerHour: number;
}

/** The variables of signing. */
export const SIGNING_VARIABLES: readonly Variable[] = [
  {
    name: "DELIVERY_URL",
    meaning:
      "The bank's service that delivers payment codes and notices of changes to a PSU's sign-in. Certified by the private CA and called with our client certificate. Absent: in the sandbox, an inbox page; otherwise no payment can be approved",
    optional: true,
    setInProduction: true,
    unlessSet: ["PAYMENTS", "off"],
  },
  {
    name: "CODES_PER_HOUR",
    meaning:
      "How many payment codes a PSU can be sent within an hour of the first, over all payments; the next code begins another hour",
    default: "30",
    bounds: [1, 1_000],
  },
];

/** Reads the settings of payment signing. */
export function readSigningSettings(read: ConfigurationReader): SigningSettings {
  return read.together<SigningSettings>({
    delivery: () => readDelivery(read),
    codesPerHour: () => read.integer("CODES_PER_HOUR"),
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
