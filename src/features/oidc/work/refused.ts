import type { LogInProblem } from "../words.ts";

/** Ends a write without a trace: the person isn't logged in, and the login page says why. */
export class LogInRefused extends Error {
  readonly problem: LogInProblem;

  constructor(problem: LogInProblem) {
    super(problem);
    this.name = "LogInRefused";
    this.problem = problem;
  }
}
