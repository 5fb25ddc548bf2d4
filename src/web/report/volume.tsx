// The sending volume decides whether rules for bulk senders apply. If a prediction depends on it, an owner is asked once.
// The report then shows only the prediction that applies.

import type { VolumeAnswer } from "../../analyzer/words/volume-words.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { call } from "../client/call.ts";
import { useOpened } from "../client/opened.ts";
import { useIsOwner, useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";
import { type AgainProps, Progress, useAnalysis } from "./reanalyze.tsx";
import { dependsOnVolume } from "./volume-basis.tsx";

type QuestionProps = Omit<AgainProps, "onClose">;

const setting = "/settings/sending#sending-volume";

const answers = [
  { value: "small", label: "Fewer than 5,000 a day" },
  { value: "large", label: "5,000 or more a day" },
  { value: "unsure", label: "Not sure" },
] as const;

/** Not asked for samples and messages that Assay sent to itself. */
export function VolumeQuestion(props: QuestionProps) {
  const { workspace } = useSession();
  const isOwner = useIsOwner();
  const { test } = props;
  const isMadeHere = test.sample || test.transport.looped;
  if (!isOwner || isMadeHere || workspace.sendingVolume !== null || !dependsOnVolume(test)) return null;
  return <Choices {...props} />;
}

function Choices({ test, onNewReport }: QuestionProps) {
  const { workspace, renew } = useSession();
  const saving = useDoing();
  const analysis = useAnalysis({ test, onNewReport });
  const isBusy = saving.isBusy || analysis.isBusy;
  const choose = (answer: Exclude<VolumeAnswer, null>) =>
    saving.run(async () => {
      await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body: { sendingVolume: answer } });
      sayDone("Saved for this workspace.");
      if (answer !== "unsure") await analysis.analyze({ dns: "recorded" });
      await renew();
    });
  return (
    <div class="note minor kind-ask noprint">
      <Icon name="unknown" />
      <fieldset class="plain-set">
        <legend>
          <strong>How many messages do you send to a single mailbox provider, such as Gmail?</strong> Some rules apply
          only to senders of 5,000 or more a day. Your answer makes this prediction more precise.
        </legend>
        <div class="kind-set">
          {answers.map(({ value, label }) => (
            <button key={value} class="btn small" type="button" disabled={isBusy} onClick={() => void choose(value)}>
              {label}
            </button>
          ))}
        </div>
        {analysis.isBusy && <Progress dns="recorded" />}
        {saving.trouble !== null && <ErrorNote title="Couldn’t save your answer." message={saving.trouble.message} />}
      </fieldset>
    </div>
  );
}

/** Link to change the sending volume. */
export function VolumeSetting({ test }: { readonly test: TestReport }) {
  const { workspace } = useSession();
  const isOwner = useIsOwner();
  const { open } = useOpened();
  const said = workspace.sendingVolume === "unsure" ? null : workspace.sendingVolume;
  if (test.sending_volume === said)
    return (
      <a class="noprint" href={setting}>
        {isOwner ? "Change sending volume" : "See setting"}
      </a>
    );
  return (
    <>
      The setting has changed since this analysis.{" "}
      <button class="as-link noprint" type="button" onClick={() => open("again")}>
        Re-analyze to apply it
      </button>
    </>
  );
}
