// The maintenance windows of a monitor. Each change is saved at once.

import { useState } from "preact/hooks";
import type { MonitorDetail } from "../../api/canaries.ts";
import { dayNames } from "../../api/monitor-terms-words.ts";
import { call, Trouble } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { toMinute } from "../client/words.ts";
import { Choice, Field } from "../parts/form.tsx";
import { sayDone } from "../parts/states.tsx";
import { TroubleNote } from "../settings/parts.tsx";
import { DayFields, readDays, toOwnZone } from "./days.tsx";

type Window = MonitorDetail["maintenance"][number];
type SectionProps = {
  readonly monitor: Pick<MonitorDetail, "id" | "maintenance" | "canary" | "expected">;
  readonly onDone: () => void;
};

export function MaintenanceSection({ monitor, onDone }: SectionProps) {
  const { id, maintenance } = monitor;
  const [isAdding, setAdding] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  const change = async (act: () => Promise<unknown>, done: string) => {
    if (!(await run(act))) return;
    setAdding(false);
    onDone();
    sayDone(done);
  };
  const save = (windows: readonly Window[], done: string) => {
    const body = { windows: [...windows] };
    return change(() => call("PUT /api/monitors/:id/maintenance", { params: { id }, body }), done);
  };
  // Begun by the server, whose clock decides when a window is open.
  const start = (hours: number) => {
    const body = { minutes: hours * 60 };
    const act = () => call("POST /api/monitors/:id/maintenance", { params: { id }, body });
    return change(act, "Maintenance has begun.");
  };
  return (
    <section class="stack mt-6">
      <h2>Maintenance</h2>
      <p class="muted">
        While a window is open, nothing that is missing or wrong raises an alert or counts in the figures.
      </p>
      {maintenance.length > 0 && (
        <ul class="list">
          {maintenance.map((window, index) => (
            // Two windows may be the same.
            <li key={`${index} ${toWindowWords(window)}`}>
              <span>{toWindowWords(window)}</span>
              <button
                class="btn small danger"
                type="button"
                disabled={isBusy}
                onClick={() =>
                  void save(
                    maintenance.filter((_, at) => at !== index),
                    "Maintenance window deleted.",
                  )
                }
              >
                Delete<span class="vh"> {toWindowWords(window)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <TroubleNote trouble={trouble && toOwnWords(trouble)} title="Couldn’t save the maintenance window." />
      {isAdding ? (
        <WindowForm
          zone={toZone(monitor)}
          isBusy={isBusy}
          onCancel={() => setAdding(false)}
          onAdd={(window) => save([...maintenance, window], "Maintenance window added.")}
        />
      ) : (
        <div class="row">
          <span class="label">Start now:</span>
          {shortcuts.map((hours) => (
            <button
              key={hours}
              class="btn small"
              type="button"
              disabled={isBusy}
              onClick={() => void start(hours)}
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

/** The API names fields by their place in the list. */
function toOwnWords(trouble: Trouble): Trouble {
  const { field } = trouble;
  const words = field === null ? undefined : windowErrors[field.split(".").at(-1) ?? ""];
  return words === undefined ? trouble : new Trouble(words);
}

const windowErrors: Readonly<Record<string, string>> = {
  days: "Choose at least one day.",
  timeZone: "Enter an IANA time zone, such as Europe/Berlin.",
  from: "Enter a date and a time.",
  to: "The end must be after the beginning.",
  windows: "A monitor can have at most 20 maintenance windows. Delete one first.",
};

const shortcuts = [1, 4, 24];

/** The one that the monitor's schedule is in, if it is in one. */
function toZone({ canary, expected }: SectionProps["monitor"]): string {
  const schedule = expected?.schedule ?? canary?.schedule;
  return schedule !== undefined && "timeZone" in schedule ? schedule.timeZone : toOwnZone();
}

function toWindowWords(window: Window): string {
  if (window.type === "once") return `${toMinute(window.from)} to ${toMinute(window.to)}`;
  const days = window.days.map((day) => dayNames[day]).join(", ");
  return `${days}, ${window.from} to ${window.to} (${window.timeZone})`;
}

type FormProps = {
  readonly zone: string;
  readonly isBusy: boolean;
  readonly onAdd: (window: Window) => Promise<void>;
  readonly onCancel: () => void;
};

const types = [
  { value: "once", label: "Once" },
  { value: "weekly", label: "Every week" },
] as const;

function WindowForm({ zone, isBusy, onAdd, onCancel }: FormProps) {
  const [type, setType] = useState<Window["type"]>("once");
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(typed.get(name) ?? "");
    const weekly = { days: readDays(typed), timeZone: text("timeZone").trim() };
    void onAdd(
      type === "weekly"
        ? { type, from: text("from"), to: text("to"), ...weekly }
        : { type, from: toInstant(text("from")), to: toInstant(text("to")) },
    );
  };
  return (
    <form class="stack narrow" onSubmit={add}>
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
        hint={
          type === "weekly"
            ? "A time that is not after the first is on the next day."
            : `Both in your own time zone, ${toOwnZone()}.`
        }
      />
      {type === "weekly" && <Field label="Time zone" name="timeZone" required value={zone} />}
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
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}
