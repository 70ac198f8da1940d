import type { CountJob } from "@cobs/service-edge";
import {
  isDatabaseUnavailable,
  type Log,
  type Repeated,
  repeat,
  tellFailure,
} from "@cobs/service-edge/database";
import type { OrderDatabase } from "./accept-order-postgres.ts";
import { findDueOrders, settleOrder } from "./settle-orders-postgres.ts";

const BATCH = 100;
const LOOK_MILLISECONDS = 500;
const TROUBLE_MILLISECONDS = 2_000;

/** What settling needs. */
export interface SettlingParts {
  readonly database: OrderDatabase;
  readonly log: Log;
  readonly countJob?: CountJob;
}

/** Books due orders of the sandbox bank until it is stopped. Every process does so, without conflict. */
export function startSettlingOrders({ database, log, countJob = () => repeat }: SettlingParts): Repeated {
  return countJob("sandbox_orders")(
    async (signal) => {
      const due = await findDueOrders(database, BATCH);
      for (const paymentId of due) if (!signal.aborted) await settle(database, paymentId, log);
      return due.length < BATCH ? LOOK_MILLISECONDS : 0;
    },
    tellFailure(log, "the sandbox bank cannot look for due orders", TROUBLE_MILLISECONDS),
  );
}

/** Settles one order; one that cannot be booked does not stop the others, and is tried again. */
async function settle(database: OrderDatabase, paymentId: string, log: Log): Promise<void> {
  try {
    await settleOrder(database, paymentId);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error({ error, paymentId }, "the sandbox bank cannot book an order");
  }
}
