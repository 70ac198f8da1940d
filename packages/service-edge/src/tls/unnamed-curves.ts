/**
 * Whether Node.js ends the process where it is asked to describe a key on a curve that NIST has no name for, as from 24 on. Any
 * peer can send a certificate with one. (Of what is read otherwise, Node.js 20 and 22 free nothing.)
 */
export const ENDS_AT_UNNAMED_CURVES = Number.parseInt(process.versions.node, 10) >= 24;
