// What kind of message it is decides which rules apply. Assay infers it; the reader may know better.

import { useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { useOpened } from "../client/opened.ts";
import { Dialog } from "../parts/dialog.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { type AgainProps, Progress, useAnalysis } from "./again.tsx";

type Kind = NonNullable<TestReport["kind"]>;

const kindWords: Readonly<Record<Kind, { readonly title: string; readonly says: string }>> = {
  bulk: { title: "Bulk", says: "The same to many: newsletters, offers, announcements." },
  transactional: {
    title: "Transactional",
    says: "What one reader’s own doing brings: receipts, password resets, notices.",
  },
  personal: { title: "Personal", says: "From one person to another." },
  "auto-reply": { title: "Automatic reply", says: "An answer that a program gives: absence, confirmations." },
};
const kinds = Object.keys(kindWords) as readonly Kind[];

/** In the line that says whose message it is. */
export function KindNote({ test: { kind, kind_detail } }: { readonly test: TestReport }) {
  const { open } = useOpened();
  if (kind === null) return null;
  return (
    <span>
      kind: {kindWords[kind].title.toLowerCase()}
      {kind_detail?.overridden === true ? ", as you said" : ", inferred"}{" "}
      <button class="as-link noprint" type="button" onClick={() => open("kind")}>
        Change<span class="vh"> the kind of message</span>
      </button>
    </span>
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
        ? `Assay takes it for ${(kind ? kindWords[kind].title : "nothing it knows").toLowerCase()}. ${kind_detail?.reasons.map(({ text }) => text).join(" ") ?? ""}`
        : "Assay infers it from the message.",
  };
  const options = [inferred, ...kinds.map((value) => ({ value, ...kindWords[value] }))];
  return (
    <Dialog title="What kind of message is it?" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          The kind decides which rules apply: a newsletter needs an unsubscribe link, a receipt does not. It
          changes no verdict of SPF, DKIM and DMARC.
        </p>
        <fieldset class="stack-2">
          <legend class="vh">Kind of message</legend>
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
        {trouble !== null && <ErrorNote title="The kind was not changed." message={trouble.message} />}
        <FormActs
          action="Analyse it as that"
          busyAction="Analysing …"
          isBusy={isBusy}
          isWaiting={chosen === current}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
