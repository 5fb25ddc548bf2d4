import { useState } from "preact/hooks";
import { call, messageOf } from "../client/call.ts";
import { toPlural } from "../client/words.ts";
import { Confirm } from "../parts/dialog.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";

type TestLabel = { readonly id: string; readonly subject: string | null };

type DeleteTestsProps = {
  readonly tests: readonly TestLabel[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

export function DeleteTests({ tests, onClose, onDeleted }: DeleteTestsProps) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const body = { ids: tests.map(({ id }) => id) };
      const { deleted } = await call("POST /api/tests/delete", { body });
      onClose();
      onDeleted();
      sayDone(`${toPlural(deleted, "test", "tests")} deleted.`);
    } catch (error) {
      setTrouble(messageOf(error));
      setBusy(false);
    }
  };
  const [only] = tests;
  const what =
    tests.length === 1
      ? `“${only?.subject?.trim() || "No subject"}”`
      : toPlural(tests.length, "test", "tests");
  return (
    <Confirm title={`Delete ${what}?`} action="Delete" isBusy={isBusy} onClose={onClose} onConfirm={remove}>
      <p>Messages, reports, and share links will be deleted. This can’t be undone.</p>
      {trouble !== null && <ErrorNote title="Couldn’t delete any tests." message={trouble} />}
    </Confirm>
  );
}
