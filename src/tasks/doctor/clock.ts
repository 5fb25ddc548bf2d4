import { createHeading, type DoctorRow, type Probes } from "./row.ts";

/** No true clock shows less: this program did not exist then. */
const writtenMs = Date.UTC(2026, 10, 1);
const tolerableStepMs = 500;

export type ClockReading = { readonly wallMs: number; readonly monotonicMs: number };

/** Two readings, one before and one after the other examinations: a wall clock that is being pulled moves between them. */
export async function examineClock(
  before: ClockReading,
  after: ClockReading,
  probes: Probes,
): Promise<DoctorRow> {
  const heading = createHeading("clock", "Clock");
  const fix =
    "Turn on time synchronisation: timedatectl set-ntp true (on a virtual machine or container: on its host).";
  if (after.wallMs < writtenMs)
    return heading.red(`It says ${new Date(after.wallMs).toISOString()}, which is past and gone.`, fix);
  const stepMs = Math.abs(after.wallMs - before.wallMs - (after.monotonicMs - before.monotonicMs));
  if (stepMs > tolerableStepMs)
    return heading.red(`It jumped by ${Math.round(stepMs)} ms while we looked.`, fix);
  if (await probes.isClockSynchronised()) return heading.green("It is synchronised.");
  return heading.grey(
    "It runs evenly; whether it is synchronised cannot be told from here.",
    "See: timedatectl, or chronyc tracking",
  );
}
