/**
 * Whether Node.js ends the process when asked to describe a key on a curve without a NIST name, as from 24 on. Any peer can
 * send such a certificate. (The other way of reading leaks memory in Node.js 20 and 22.)
 */
export const ENDS_AT_UNNAMED_CURVES = Number.parseInt(process.versions.node, 10) >= 24;
