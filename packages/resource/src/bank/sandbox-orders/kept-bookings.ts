/** The plan of an order as stored until it is executed: JSON, with amounts as decimal texts of minor units. */
import type { NewBooking } from "../post-booking-postgres.ts";

/** A planned booking in JSON. */
export type KeptBooking = Omit<NewBooking, "amount"> & { readonly amount: string };

/** Writes a plan. */
export function keepBookings(bookings: readonly NewBooking[]): string {
  return JSON.stringify(bookings.map((booking) => ({ ...booking, amount: String(booking.amount) })));
}

/** Reads what `keepBookings` wrote. */
export function takeBookings(kept: readonly KeptBooking[]): readonly NewBooking[] {
  return kept.map((booking) => ({ ...booking, amount: BigInt(booking.amount) }));
}
