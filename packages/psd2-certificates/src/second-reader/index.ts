/** The entry `@cobs/psd2-certificates/second-reader`, separate so that only those who use it load its library. */
export { createSecondReader, type SecondReader, type SecondReaderOptions } from "./second-reader.ts";
export { compareReadings, type SecondOpinion, type SecondReading } from "./second-reading.ts";
