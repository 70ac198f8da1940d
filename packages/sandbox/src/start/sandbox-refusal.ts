/**
 * Why a sandbox does not start:
 * - `already_running`: another process holds the folder
 * - `folder_unusable`: the folder cannot be written to, or what was kept there cannot be read
 * - `port_taken`: a port is in use, or may not be opened
 * - `service_ended`: a service ended, or was not ready in time
 * - `database_unavailable`: the database does not answer, or too slowly, or cannot be used
 * - `ready_application`: the ready application could not be made through the services
 */
export type SandboxRefusalCode =
  | "already_running"
  | "folder_unusable"
  | "port_taken"
  | "service_ended"
  | "database_unavailable"
  | "ready_application";

/** The sandbox does not start; the message is for the person at the terminal, says what to do, and holds no secret. */
export class SandboxRefusal extends Error {
  readonly code: SandboxRefusalCode;

  constructor(code: SandboxRefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SandboxRefusal";
    this.code = code;
  }
}
