import type { KeyObject } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { Clock, Database } from "@cobs/service-edge";
import { seal, unseal } from "../sealing/sealing.ts";
import type { DeliveredText } from "./deliver.ts";

/** A message that the sandbox has delivered. */
export interface SandboxMessage {
  readonly text: string;
  readonly deliveredAt: Date;
}

/**
 * The sandbox's replacement for the PSU's phone. Start-up refuses it outside the sandbox, as it does the sandbox's directory:
 * whoever may read the demo PSUs' passwords may read their messages.
 */
export interface SandboxInbox {
  deliver(delivered: DeliveredText): Promise<void>;
  /** The newest messages, newest first, at most twenty. */
  read(psu: PsuId): Promise<readonly SandboxMessage[]>;
}

const KEPT = 20;
const ADD = `INSERT INTO sandbox_message (psu_id, sealed_text, delivered_at, delivery_id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (delivery_id) DO NOTHING`;
const FORGET = `DELETE FROM sandbox_message WHERE psu_id = $1 AND id NOT IN (
  SELECT id FROM sandbox_message WHERE psu_id = $1 ORDER BY id DESC LIMIT ${KEPT})`;
const READ = `SELECT sealed_text, delivered_at FROM sandbox_message WHERE psu_id = $1 ORDER BY id DESC LIMIT ${KEPT}`;

/** Keeps the messages in PostgreSQL, sealed to their PSU. */
export function createSandboxInbox(database: Database, sealingKey: KeyObject, clock: Clock): SandboxInbox {
  return {
    async deliver({ id, psu, text }) {
      const values = [psu, seal(sealingKey, Buffer.from(text), psu), clock.now(), id];
      await database.run({ name: "sandbox-inbox-add", text: ADD, values });
      await database.run({ name: "sandbox-inbox-forget", text: FORGET, values: [psu] });
    },
    async read(psu) {
      const statement = { name: "sandbox-inbox-read", text: READ, values: [psu] };
      const rows = await database.run<{ sealed_text: Buffer; delivered_at: Date }>(statement);
      return rows.map(({ sealed_text: sealed, delivered_at: deliveredAt }) => ({
        text: Buffer.from(unseal(sealingKey, sealed, psu)).toString("utf8"),
        deliveredAt,
      }));
    },
  };
}
