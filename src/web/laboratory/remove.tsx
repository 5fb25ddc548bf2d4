import type { AnswerOf } from "../../api/endpoint.ts";
import type { removeSamples } from "../../api/laboratory.ts";
import { ask } from "../client/ask.ts";
import { useDoing } from "../client/doing.ts";
import { toPlural } from "../client/words.ts";
import { Confirm } from "../parts/dialog.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";

type RemoveProps = { readonly onClose: () => void; readonly onRemoved: () => void };

export function RemoveSamples({ onClose, onRemoved }: RemoveProps) {
  const { isBusy, trouble, run } = useDoing();
  const remove = () =>
    run(async () => {
      const { deleted } = await ask<AnswerOf<typeof removeSamples>>("DELETE", "/api/laboratory");
      onClose();
      onRemoved();
      sayDone(`${toPlural(deleted, "sample is", "samples are")} removed.`);
    });
  return (
    <Confirm
      title="Remove all samples?"
      action="Remove"
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>
        Every message that the laboratory ever sent here goes, with its report and with links that share it.
        Your own tests stay. You can send the samples again at any time.
      </p>
      {trouble !== null && <ErrorNote title="Not all were removed." message={trouble.message} />}
    </Confirm>
  );
}
