// If the type of a message is unclear, the report asks at the top. One click re-analyzes the message as the chosen type,
// and the choice can be saved for the sender or the label.

import { useState } from "preact/hooks";
import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import type { KindRule } from "../../features/tests/contract/kind-detail.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { toPercent } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";
import { type Kind, kindWords } from "./kind-words.ts";
import { type AgainProps, Progress, useAnalysis } from "./reanalyze.tsx";

type QuestionProps = Omit<AgainProps, "onClose">;

export function KindQuestion(props: QuestionProps) {
  const { kind, kind_detail } = props.test;
  if (kind === null || kind_detail === null) return null;
  if (kind_detail.source === "person") return <Remember test={props.test} kind={kind} />;
  return kind_detail.low_confidence ? <Choices {...props} /> : null;
}

function Choices({ test, onNewReport }: QuestionProps) {
  const { analyze, isBusy, trouble } = useAnalysis({ test, onNewReport });
  const { kind, kind_detail, composite } = test;
  const options = [
    ...(kind === null ? [] : [{ kind, composite }]),
    ...(kind_detail?.alternatives ?? []).filter((one) => one.kind !== kind),
  ];
  const sure = kind_detail?.confidence ?? null;
  return (
    <div class="note minor kind-ask noprint">
      <Icon name="unknown" />
      <fieldset class="plain-set">
        <legend>
          <strong>What type of message is this?</strong> Assay isn’t sure
          {sure !== null && ` (${toPercent(sure)})`}, and the type determines which rules apply.
        </legend>
        <div class="kind-set">
          {options.map((one) => (
            <button
              key={one.kind}
              class="btn small"
              type="button"
              disabled={isBusy}
              onClick={() => void analyze({ dns: "recorded", kind: one.kind })}
            >
              {kindWords[one.kind].short}
              {one.composite !== null && <span class="muted">score {toWholeScore(one.composite)}</span>}
            </button>
          ))}
        </div>
        {isBusy && <Progress dns="recorded" />}
        {trouble !== null && <ErrorNote title="Couldn’t change the type." message={trouble.message} />}
      </fieldset>
    </div>
  );
}

type RememberProps = { readonly test: TestReport; readonly kind: Kind };
type Offer = Pick<KindRule, "match" | "value">;

/** Offers to save the type that a person set, as a rule for the sender or the label. */
function Remember({ test, kind }: RememberProps) {
  const [isDone, setDone] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  const offers = toOffers(test);
  if (isDone || offers.length === 0) return null;
  const remember = ({ match, value }: Offer) =>
    run(async () => {
      await call("POST /api/kind-rules", { body: { match, value, kind } });
      setDone(true);
      sayDone(`Rule saved. New messages ${match === "from" ? "from" : "with the label"} ${value} will get this type.`);
    });
  return (
    <div class="note info kind-ask noprint">
      <Icon name="info" />
      <span>
        You set the type to {kindWords[kind].short.toLowerCase()}. Use it for new messages too?
        <span class="kind-set mt-2">
          {offers.map((offer) => (
            <button
              key={offer.match}
              class="btn small"
              type="button"
              disabled={isBusy}
              onClick={() => void remember(offer)}
            >
              {offer.match === "from" ? "Always from" : "Always with label"} {offer.value}
            </button>
          ))}
          <a class="btn small quiet" href="/settings/sending#message-types">
            See all rules
          </a>
        </span>
        {trouble !== null && <ErrorNote title="Couldn’t save the rule." message={trouble.message} />}
      </span>
    </div>
  );
}

function toOffers({ from, label, sample }: TestReport): readonly Offer[] {
  if (sample) return [];
  // The From header may have a name before the address.
  const [, inBrackets] = /<([^<>\s]{3,320})>\s*$/.exec(from ?? "") ?? [];
  const address = inBrackets ?? from?.trim() ?? "";
  return [
    ...(/^[^@\s<>]+@[^@\s<>]+$/.test(address) ? [{ match: "from" as const, value: address }] : []),
    ...(label === null ? [] : [{ match: "label" as const, value: label }]),
  ];
}
