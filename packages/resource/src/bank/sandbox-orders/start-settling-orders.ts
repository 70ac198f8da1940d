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

/** What booking takes. */
export interface SettlingParts {
  readonly database: OrderDatabase;
  readonly log: Log;
  readonly countJob?: CountJob;
}

/** Books what is due in the sandbox bank until it is stopped. Every process does, and they do not get in each other's way. */
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

/** One order that cannot be booked stops none of the others, and is tried again. */
async function settle(database: OrderDatabase, paymentId: string, log: Log): Promise<void> {
  try {
    await settleOrder(database, paymentId);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error({ error, paymentId }, "the sandbox bank cannot book an order");
  }
}
