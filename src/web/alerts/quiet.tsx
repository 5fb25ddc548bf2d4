// Quiet hours of an alert, in which it waits.

import { useState } from "preact/hooks";
import type { Alert } from "../../api/alerts.ts";
import { allDays, toDayWords } from "../../api/monitor-terms-words.ts";
import type { Trouble } from "../client/call.ts";
import { troubleAt } from "../client/use-action.ts";
import { DayFields, readDays, toOwnZone } from "../monitors/days.tsx";
import { Field } from "../parts/form.tsx";

type Quiet = Alert["quietHours"];
type QuietProps = { readonly alert: Alert | null; readonly trouble: Trouble | null };

const [zoneField, daysField] = ["quietHours.timeZone", "quietHours.days"];
/** The fields whose errors are shown here. */
export const quietErrors = [zoneField, daysField];

export function QuietFields({ alert, trouble }: QuietProps) {
  const kept = alert?.quietHours ?? null;
  const [isOn, setOn] = useState(kept !== null);
  return (
    <fieldset class="field ticks">
      <legend class="group-name">Quiet hours</legend>
      <label class="tick-row">
        <input type="checkbox" name="quiet" checked={isOn} onChange={() => setOn(!isOn)} />
        <span>
          Hold alerts during quiet hours
          <span class="hint">
            They’re sent in order when the quiet hours end, such as in the morning. With a daily email, quiet
            hours have no effect.
          </span>
        </span>
      </label>
      {isOn && (
        <>
          <Field label="From" name="quietFrom" type="time" required value={kept?.from ?? "22:00"} />
          <Field
            label="To"
            name="quietTo"
            type="time"
            required
            value={kept?.to ?? "07:00"}
            hint="A time that is not after the first is on the next day."
          />
          <DayFields
            legend="Days on which they begin"
            days={kept?.days ?? allDays}
            error={troubleAt(trouble, daysField) && "Choose at least one day."}
          />
          <Field
            label="Time zone"
            name="quietZone"
            required
            value={kept?.timeZone ?? toOwnZone()}
            hint="When clocks change, quiet hours keep their local time."
            error={troubleAt(trouble, zoneField) && "Enter an IANA time zone, such as Europe/Berlin."}
          />
          <label class="tick-row">
            <input type="checkbox" name="quietWake" defaultChecked={kept?.wakeForMonitors ?? false} />
            <span>
              Also send alerts about monitors then
              <span class="hint">A monitor that is down or up again is reported at once.</span>
            </span>
          </label>
        </>
      )}
    </fieldset>
  );
}

export function readQuiet(typed: FormData): Quiet {
  if (typed.get("quiet") === null) return null;
  const text = (name: string) => String(typed.get(name) ?? "");
  const days = readDays(typed);
  return {
    ...(days.length < allDays.length && { days }),
    from: text("quietFrom"),
    to: text("quietTo"),
    timeZone: text("quietZone").trim(),
    wakeForMonitors: typed.get("quietWake") !== null,
  };
}

/** "22:00 to 07:00 every day (Europe/Berlin), except for monitors" */
export function toQuietWords({ from, to, days, timeZone, wakeForMonitors }: NonNullable<Quiet>): string {
  const except = wakeForMonitors ? ", except for monitors" : "";
  return `${from} to ${to} ${toDayWords(days ?? allDays)} (${timeZone})${except}`;
}
