// What states are called, in the app and on the command line.

/** A row of the server check. */
export const doctorWords = { green: "OK", red: "Problem", grey: "Note" } as const;

/** A test without a report. */
export const unfinishedWords = {
  received: "Waiting for analysis",
  analyzing: "Analyzing",
  failed: "Analysis failed",
} as const;
