/** Number of entries, of which the last is not sealed. */
export const ENTRIES = 4;
/** Number of sealed entries. */
export const SEALED = ENTRIES - 1;
const NO_HASH = "decode(repeat('ab', 32), 'hex')";
/** Gives the last entry its number, and an invalid hash. */
export const NEXT = `UPDATE audit_entry SET sequence = ${SEALED + 1}, hash = ${NO_HASH} WHERE sequence IS NULL`;
/** Adds an entry that also sets these columns. */
export const entryWith = (columns: string, values: string) =>
  `INSERT INTO audit_entry (actor_kind, actor, action, subject_kind, subject, ${columns}) OVERRIDING SYSTEM VALUE
    VALUES ('psu', 'psu', 'consent.given', 'consent', 'new', ${values})`;

/** Attacks by somebody who acts as a process and owns no table; several statements are one transaction. */
export const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  "gives an entry a number before the first": [
    "UPDATE audit_entry SET sequence = -7, hash = '' WHERE sequence IS NULL",
  ],
  "gives an entry the number 0": ["UPDATE audit_entry SET sequence = 0, hash = '' WHERE sequence IS NULL"],
  "gives an entry a number far behind the head": [
    "UPDATE audit_entry SET sequence = 1000, hash = '' WHERE sequence IS NULL",
  ],
  "seals an entry without the head": [NEXT],
  "seals an entry with a hash that is none": [
    NEXT,
    `UPDATE audit_chain SET head_sequence = ${SEALED + 1}, head_hash = ${NO_HASH}`,
  ],
  "seals an entry behind a gap": [
    "UPDATE audit_entry SET sequence = 9, hash = sha256('x') WHERE sequence IS NULL",
    "UPDATE audit_chain SET head_sequence = 9, head_hash = sha256('x')",
  ],
  "takes a seal away": [`UPDATE audit_entry SET sequence = NULL, hash = NULL WHERE sequence = ${SEALED}`],
  "changes an entry with its seal": [NEXT.replace("SET", "SET actor = 'nobody',")],
  "changes an unsealed entry": ["UPDATE audit_entry SET actor = 'nobody' WHERE sequence IS NULL"],
  "changes a sealed entry": [`UPDATE audit_entry SET actor = 'nobody' WHERE sequence = ${SEALED}`],
  "changes an entry by adding it again": [
    `INSERT INTO audit_entry OVERRIDING SYSTEM VALUE SELECT id, recorded_at, actor_kind, actor, certificate, request_id,
      action, subject_kind, subject, details FROM audit_entry WHERE true ON CONFLICT (id) DO UPDATE SET actor = 'nobody'`,
  ],
  "changes an entry by merging it": [
    `MERGE INTO audit_entry USING audit_chain ON audit_entry.sequence = head_sequence
      WHEN MATCHED THEN UPDATE SET actor = 'nobody'`,
  ],
  "deletes an unsealed entry": ["DELETE FROM audit_entry WHERE sequence IS NULL"],
  "deletes a sealed entry": [`DELETE FROM audit_entry WHERE sequence = ${SEALED}`],
  "deletes all entries at once": ["TRUNCATE audit_entry"],
  "deletes the head": ["DELETE FROM audit_chain"],
  "sets the head back": [
    "UPDATE audit_chain SET (head_sequence, head_hash) = (SELECT sequence, hash FROM audit_entry WHERE sequence = 1)",
  ],
  "moves the head to where there is no entry": [`UPDATE audit_chain SET head_sequence = ${SEALED + 1}`],
  "gives the head another hash": ["UPDATE audit_chain SET head_hash = sha256('x')"],
  "says that all was archived": [
    "UPDATE audit_chain SET archived_sequence = head_sequence, archived_hash = head_hash",
  ],
  "says that what is old was archived with another hash": [
    "UPDATE audit_chain SET archived_sequence = 1, archived_hash = sha256('x')",
  ],
  "says that the chain begins with another hash": ["UPDATE audit_chain SET archived_hash = sha256('x')"],
  "says that what a day is left of was archived": [
    "UPDATE audit_chain SET (archived_sequence, archived_hash) = (SELECT sequence, hash FROM audit_entry WHERE sequence = 2)",
  ],
  "adds a sealed entry": [entryWith("details, sequence, hash", "'{}', 4, sha256('x')")],
  "adds an entry of a time behind which no search goes on": [
    entryWith("details, recorded_at", "'{}', 'infinity'"),
  ],
  "adds an entry of a year with five digits": [entryWith("details, recorded_at", "'{}', '10000-01-01'")],
  "adds an entry of a year before our era": [entryWith("details, recorded_at", "'{}', '0044-03-15 BC'")],
  "adds an entry of tomorrow": [
    entryWith("details, recorded_at", "'{}', clock_timestamp() + interval '1 day'"),
  ],
  "adds an entry with a number behind which no search goes on": [entryWith("details, id", "'{}', -1")],
  "adds an entry with the last number that there is": [entryWith("details, id", "'{}', 9223372036854775807")],
  "adds an entry with the number of one that is still to come": [
    entryWith("details, id", `'{}', ${ENTRIES + 1}`),
  ],
  "adds an entry whose details are no object": [entryWith("details", "'[]'")],
  "adds an entry whose details are nested so deep that nobody can write them": [
    entryWith("details", `repeat('{"a":', 6000) || '1' || repeat('}', 6000)`),
  ],
  "adds an entry with a list of lists": [entryWith("details", `'{"a":["",[]]}'`)],
  "adds an entry with a list of objects": [entryWith("details", `'{"a":[{}]}'`)],
  "adds an entry with an object behind what looks like the end of a text": [
    entryWith("details", `E'{"\\\\"":"\\\\\\\\","a":{"b":1}}'`),
  ],
  "adds an entry of which the export has two lines": [entryWith("details", `E'{"a":1,\\n"b":2}'`)],
  "adds an entry with more details than any has": [
    entryWith("details", `json_build_object('text', repeat('x', 150000))`),
  ],
  "adds an entry of an actor with a name that nobody has": [
    entryWith("details", "'{}'").replace("'psu', 'psu'", "'psu', repeat('x', 2001)"),
  ],
  "adds an entry about something with a name that nothing has": [
    entryWith("details", "'{}'").replace("'new'", "repeat('x', 2001)"),
  ],
  "adds an entry of an act with a name that none has": [
    entryWith("details", "'{}'").replace("'consent.given'", "repeat('x', 301)"),
  ],
  "adds an entry about something of a kind that there is not": [
    entryWith("details", "'{}'").replace("'consent',", "repeat('x', 301),"),
  ],
  "adds an entry with a certificate that is none": [
    entryWith("details, certificate", "'{}', repeat('x', 301)"),
  ],
  "adds an entry of a call with a name that none has": [
    entryWith("details, request_id", "'{}', repeat('x', 301)"),
  ],
  "switches the triggers off": ["ALTER TABLE audit_entry DISABLE TRIGGER ALL"],
  "switches all triggers off": ["SET session_replication_role = replica"],
  "makes a trigger do something else": [
    "CREATE OR REPLACE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
  ],
  "makes a table of the same name": ["CREATE TEMPORARY TABLE audit_chain ()"],
};
