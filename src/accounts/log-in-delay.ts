// What guessing costs (decisions §3): after ten failures an account answers ever slower, whoever asks and whether it
// exists or not; it is never locked, because then anybody could lock anybody out.

const freeTries = 10;
const longestDelayMs = 30_000;

/** After so long without a failure an account is as quick as ever. */
export const failuresForgottenMs = 86_400_000;

/** `tries` since the last success, this one included. */
export function logInDelayMs(tries: number): number {
  const slowed = tries - freeTries;
  return slowed <= 0 ? 0 : Math.min(longestDelayMs, 1_000 * 2 ** Math.min(slowed - 1, 10));
}
