// The maintenance windows of a monitor. Each change is saved at once.

import { useState } from "preact/hooks";
import type { MonitorItem } from "../../api/monitor-list.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { toMinute } from "../client/words.ts";
import { Choice, Field } from "../parts/form.tsx";
import { sayDone } from "../parts/states.tsx";
import { TroubleNote } from "../settings/parts.tsx";
import { DayFields, dayNames, readDays, toOwnZone } from "./days.tsx";

type Window = MonitorItem["maintenance"][number];
type SectionProps = {
  readonly monitor: Pick<MonitorItem, "id" | "maintenance">;
  readonly onDone: () => void;
};

export function MaintenanceSection({ monitor: { id, maintenance }, onDone }: SectionProps) {
  const [isAdding, setAdding] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  const save = async (windows: readonly Window[]) => {
    const body = { windows: [...windows] };
    if (!(await run(() => call("PUT /api/monitors/:id/maintenance", { params: { id }, body })))) return;
    setAdding(false);
    onDone();
    sayDone("Maintenance saved.");
  };
  return (
    <section class="stack mt-6">
      <h2>Maintenance</h2>
      <p class="muted">
        While a window is open, nothing that is missing or wrong raises an alert or counts in the uptime.
      </p>
      {maintenance.length > 0 && (
        <ul class="list">
          {maintenance.map((window, index) => (
            <li key={toWindowWords(window)}>
              <span>{toWindowWords(window)}</span>
              <button
                class="btn small danger"
                type="button"
                disabled={isBusy}
                onClick={() => void save(maintenance.filter((_, at) => at !== index))}
              >
                Delete<span class="vh"> {toWindowWords(window)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <TroubleNote trouble={trouble} title="Couldn’t save the maintenance." />
      {isAdding ? (
        <WindowForm
          isBusy={isBusy}
          onCancel={() => setAdding(false)}
          onAdd={(window) => save([...maintenance, window])}
        />
      ) : (
        <div class="row">
          {shortcuts.map((hours) => (
            <button
              key={hours}
              class="btn small"
              type="button"
              disabled={isBusy}
              onClick={() => void save([...maintenance, fromNow(hours)])}
            >
              {hours === 1 ? "For one hour" : `For ${hours} hours`}
            </button>
          ))}
          <button class="btn small" type="button" onClick={() => setAdding(true)}>
            Other time
          </button>
        </div>
      )}
    </section>
  );
}

const shortcuts = [1, 4, 24];

function fromNow(hours: number): Window {
  const now = Date.now();
  const to = now + hours * 3_600_000;
  return { type: "once", from: new Date(now).toISOString(), to: new Date(to).toISOString() };
}

function toWindowWords(window: Window): string {
  if (window.type === "once") return `${toMinute(window.from)} to ${toMinute(window.to)}`;
  const days = window.days.map((day) => dayNames[day]).join(", ");
  return `${days}, ${window.from} to ${window.to} (${window.timeZone})`;
}

type FormProps = {
  readonly isBusy: boolean;
  readonly onAdd: (window: Window) => Promise<void>;
  readonly onCancel: () => void;
};

const types = [
  { value: "once", label: "Once" },
  { value: "weekly", label: "Every week" },
] as const;

function WindowForm({ isBusy, onAdd, onCancel }: FormProps) {
  const [type, setType] = useState<Window["type"]>("once");
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(typed.get(name) ?? "");
    const weekly = { days: readDays(typed), timeZone: toOwnZone() };
    void onAdd(
      type === "weekly"
        ? { type, from: text("from"), to: text("to"), ...weekly }
        : { type, from: toInstant(text("from")), to: toInstant(text("to")) },
    );
  };
  return (
    <form class="stack" onSubmit={add}>
      <Choice legend="How often" options={types} value={type} onChoose={setType} />
      {type === "weekly" && <DayFields days={["sun"]} />}
      <Field
        key={`${type}-from`}
        label="From"
        name="from"
        type={type === "weekly" ? "time" : "datetime-local"}
        required
      />
      <Field
        key={`${type}-to`}
        label="To"
        name="to"
        type={type === "weekly" ? "time" : "datetime-local"}
        required
        hint={type === "weekly" ? "A time that is not after the first is on the next day." : undefined}
      />
      <div class="row">
        <button class="btn small primary" type="submit" disabled={isBusy}>
          Add window
        </button>
        <button class="btn small" type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** What the browser gives has the reader's time zone. */
function toInstant(local: string): string {
  return new Date(local).toISOString();
}
