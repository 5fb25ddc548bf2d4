// What type of message it is decides which rules apply. Assay detects it; the reader may know better.

import { useState } from "preact/hooks";
import { useOpened } from "../client/opened.ts";
import { Dialog } from "../parts/dialog.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { type AgainProps, Progress, useAnalysis } from "./again.tsx";
import { type Kind, kindWords } from "./kind-words.ts";

const kinds = Object.keys(kindWords) as readonly Kind[];

type ChoiceProps = Omit<AgainProps, "onClose">;

/** Which type it is taken for; another is one click away, and analyzes the message again by the rules for that type. */
export function KindChoice({ test, onNewReport }: ChoiceProps) {
  const { open } = useOpened();
  const { analyze, isBusy, trouble } = useAnalysis({ test, onNewReport });
  const { kind, kind_detail } = test;
  if (kind === null) return null;
  const offered = kinds.filter((one) => one !== "auto-reply" || kind === one);
  return (
    <fieldset class="plain-set">
      <legend class="label">Type {kind_detail?.overridden === true ? "(set by you)" : "(detected)"}</legend>
      <div class="kind-set">
        {offered.map((one) => (
          <button
            key={one}
            class="btn small"
            type="button"
            aria-pressed={one === kind}
            disabled={isBusy}
            onClick={() => {
              if (one !== kind) void analyze({ dns: "recorded", kind: one });
            }}
          >
            {kindWords[one].short}
          </button>
        ))}
        <button class="as-link noprint" type="button" onClick={() => open("kind")}>
          Why?<span class="vh"> What the type rests on</span>
        </button>
      </div>
      {isBusy && <Progress dns="recorded" />}
      {trouble !== null && <ErrorNote title="The type was not changed." message={trouble.message} />}
    </fieldset>
  );
}

export function KindDialog({ test, onNewReport, onClose }: AgainProps) {
  const { kind, kind_detail } = test;
  const current = kind_detail?.overridden === true ? (kind ?? "inferred") : "inferred";
  const [chosen, setChosen] = useState<Kind | "inferred">(current);
  const { analyze, isBusy, trouble } = useAnalysis({ test, onNewReport });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void analyze({ dns: "recorded", kind: chosen });
  };
  const inferred = {
    value: "inferred" as const,
    title: "What it looks like",
    says:
      current === "inferred"
        ? `Detected: ${(kind ? kindWords[kind].title : "unknown").toLowerCase()}. ${kind_detail?.reasons.map(({ text }) => text).join(" ") ?? ""}`
        : "Assay detects it from the message.",
  };
  const options = [inferred, ...kinds.map((value) => ({ value, ...kindWords[value] }))];
  return (
    <Dialog title="What type of message is it?" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          The type decides which rules apply: a newsletter needs an unsubscribe link, a receipt does not. SPF,
          DKIM and DMARC stay as they are.
        </p>
        <fieldset class="stack-2">
          <legend class="vh">Type of message</legend>
          {options.map(({ value, title, says }) => (
            <label key={value} class="option">
              <input
                type="radio"
                name="kind"
                checked={value === chosen}
                disabled={isBusy}
                onChange={() => setChosen(value)}
              />
              <span>
                <strong>{title}</strong>
                <span class="small muted">{says}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {isBusy && <Progress dns="recorded" />}
        {trouble !== null && <ErrorNote title="The type was not changed." message={trouble.message} />}
        <FormActs
          action="Re-analyze as this type"
          busyAction="Analyzing …"
          isBusy={isBusy}
          isWaiting={chosen === current}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
