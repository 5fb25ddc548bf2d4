// Quiet hours of an alert, in which it waits.

import { useState } from "preact/hooks";
import type { Alert } from "../../api/alerts.ts";
import { toOwnZone } from "../monitors/days.tsx";
import { Field } from "../parts/form.tsx";

type Quiet = Alert["quietHours"];

export function QuietFields({ alert }: { readonly alert: Alert | null }) {
  const kept = alert?.quietHours ?? null;
  const [isOn, setOn] = useState(kept !== null);
  const zone = kept?.timeZone ?? toOwnZone();
  return (
    <fieldset class="field ticks">
      <legend class="group-name">Quiet hours</legend>
      <label class="tick-row">
        <input type="checkbox" name="quiet" checked={isOn} onChange={() => setOn(!isOn)} />
        <span>
          Hold alerts during quiet hours
          <span class="hint">They’re sent in order when the quiet hours end, such as in the morning.</span>
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
            hint={`In the time zone ${zone}. With a daily email, quiet hours have no effect.`}
          />
          <input type="hidden" name="quietZone" value={zone} />
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

/** `days` can be set only with the API, so they are kept. */
export function readQuiet(typed: FormData, kept: Quiet): Quiet {
  if (typed.get("quiet") === null) return null;
  const text = (name: string) => String(typed.get(name) ?? "");
  return {
    ...(kept?.days && { days: kept.days }),
    from: text("quietFrom"),
    to: text("quietTo"),
    timeZone: text("quietZone"),
    wakeForMonitors: typed.get("quietWake") !== null,
  };
}
