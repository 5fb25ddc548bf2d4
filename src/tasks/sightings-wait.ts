/** For how long a seed mailbox may be ahead of our own copy, or behind it before its message counts as missing. */
export const sightingsWaitMs = 3_600_000;
