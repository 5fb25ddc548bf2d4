// The type of the message, which decides which rules apply. Assay detects it, and people can change it.

import { useState } from "preact/hooks";
import { toScoredWords, toSides } from "../../analyzer/words/kind-words.ts";
import { useOpened } from "../client/opened.ts";
import { toPercent, toPlural, toSigned } from "../client/words.ts";
import { Dialog } from "../parts/dialog.tsx";
import { FormActs, RadioOption } from "../parts/form.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { type Kind, kindWords } from "./kind-words.ts";
import { type AgainProps, Progress, useAnalysis } from "./reanalyze.tsx";

const kinds = Object.keys(kindWords) as readonly Kind[];

/** The type, and how to change it. */
export function TypeLine({ test: { kind, kind_detail } }: Pick<AgainProps, "test">) {
  const { open } = useOpened();
  if (kind === null) return null;
  const scoredWords = kind_detail && toScoredWords({ kind, scoredAs: kind_detail.scored_as });
  return (
    <p class="small muted">
      {kind_detail?.overridden === true ? "Type, set by you:" : "Detected type:"} <b>{kindWords[kind].short}</b>.{" "}
      {scoredWords}{" "}
      <button class="as-link noprint" type="button" onClick={() => open("kind")}>
        Change<span class="vh"> type</span>
      </button>
    </p>
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
    title: "Detect automatically",
    says:
      current === "inferred"
        ? `Detected: ${(kind ? kindWords[kind].title : "unknown").toLowerCase()}${toSureness(kind_detail?.confidence ?? null)}. See the reasons below.`
        : "Assay detects the type from the message.",
  };
  const options = [inferred, ...kinds.map((value) => ({ value, ...kindWords[value] }))];
  return (
    <Dialog title="Change message type" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          The type determines which rules apply. For example, a newsletter needs an unsubscribe link, but a receipt
          doesn’t. SPF, DKIM, and DMARC results don’t change. To set it for all mail from a sender or with a label,{" "}
          <a href="/settings/sending#message-types">add a rule</a>.
        </p>
        <fieldset class="stack-2">
          <legend class="vh">Message type</legend>
          {options.map(({ value, title, says }) => (
            <RadioOption
              key={value}
              name="kind"
              title={title}
              says={says}
              isChosen={value === chosen}
              isDisabled={isBusy}
              onChoose={() => setChosen(value)}
            />
          ))}
        </fieldset>
        {kind !== null && <KindReasons reasons={kind_detail?.reasons ?? []} chosen={kind} />}
        {isBusy && <Progress dns="recorded" />}
        {trouble !== null && <ErrorNote title="Couldn’t change the type." message={trouble.message} />}
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

function toSureness(confidence: number | null): string {
  return confidence === null ? "" : `, ${toPercent(confidence)} confidence`;
}

type Reasons = NonNullable<AgainProps["test"]["kind_detail"]>["reasons"];

type ReasonsProps = { readonly reasons: Reasons; readonly chosen: Kind };

/** The reasons for the type, with their weights. */
function KindReasons({ reasons, chosen }: ReasonsProps) {
  if (reasons.length === 0) return null;
  const { pro, contra } = toSides(reasons, chosen);
  return (
    <details class="small">
      <summary>{toPlural(pro.length + contra.length, "reason", "reasons")} with their weights</summary>
      <ReasonList reasons={pro} />
      {contra.length > 0 && <p class="mt-2">Against:</p>}
      <ReasonList reasons={contra} />
    </details>
  );
}

function ReasonList({ reasons }: { readonly reasons: Reasons }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="why mt-2">
      {reasons.map(({ text, points, kind }) => (
        <li key={`${kind}${text}`}>
          {text}{" "}
          {points !== null && (
            <span class="muted">
              {toSigned(points)} {kindWords[kind].short.toLowerCase()}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
