// Later examinations of a test: work that is too slow or too risky for the first answer of a report. Each has its own
// result, next to the report, and never changes the report or its score.

/**
 * The version of each examination. A result of an earlier version is replaced when someone opens the test. What an
 * examination does is in features/tests/analysis/examinations.ts.
 */
export const examinationVersions = { "second-reader": 2, forwarding: 2 } as const;

export type ExaminationKind = keyof typeof examinationVersions;

export const examinationKinds = Object.keys(examinationVersions) as ExaminationKind[];

export type ExaminationState = "waiting" | "done" | "failed";
