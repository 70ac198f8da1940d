/** How this service names itself, in its log, its metrics, and its pool of connections to the database. */
export const SERVICE_NAME = "auth";
/** The connection of a process that listens for events. */
export const FEED_CONNECTION_NAME = `${SERVICE_NAME} event feed`;
