// The size of HTML from which Gmail shows only the beginning. A separate file, because the web app needs no check.

/** Observed limit: Gmail cuts the message here and adds "View entire message". */
export const clipBytes = 102_000;
export const nearBytes = 90_000;
