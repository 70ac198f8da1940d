/** Name of this service in its log, its metrics and its database connections. */
export const SERVICE_NAME = "auth";
/** Name of the database connection on which a process listens for events. */
export const FEED_CONNECTION_NAME = `${SERVICE_NAME} event feed`;
