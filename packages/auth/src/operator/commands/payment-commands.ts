import type { Command } from "commander";
import { JSON_OPTION, type Json, type RunCommand } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { parseAnswer } from "./members.ts";
import { type Column, presentFields, presentTable } from "./present-table.ts";
import { requireResource } from "./require-resource.ts";

const COLUMNS: readonly Column[] = [
  ["time", "at"],
  ["move", "move"],
  ["by", "by"],
  ["state", "after"],
  ["cause", "cause"],
  ["call", "requestId"],
  ["with", "facts"],
];

/** Adds `payment <payment-id>`: the history of a payment, move by move, which resource keeps. */
export function addPayment(payment: Command, run: RunCommand): void {
  payment
    .argument("<payment-id>", "its transactionIdentification, 32 characters")
    .description("show which TPP entered a payment, and every change: when, why and by whom")
    .option(...JSON_OPTION)
    .action((paymentId: string, { json = false }: Json) =>
      run(async ({ resource }) => {
        const path = `/operator/payments/${idSegment(paymentId)}`;
        const answer = await requireResource(resource, "payments")({ method: "GET", path });
        const { moves, ...payment } = parseAnswer(answer);
        const table = presentTable(COLUMNS, Array.isArray(moves) ? moves : []);
        return { json: answer, text: `${presentFields(payment)}\n\n${table}` };
      }, json),
    );
}
