/** Tables in which a sequence gives each row its `id`. */
export const NUMBERED_TABLES: readonly string[] = [
  "audit_entry",
  "psu_block",
  "stop_list_block",
  "sandbox_message",
];
