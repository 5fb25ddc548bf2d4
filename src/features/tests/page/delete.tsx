// Deletes tests after a confirmation, and offers to undo it. The server removes them when that time is over, whatever
// happens to this page.

import { useState } from "preact/hooks";
import { call, messageOf } from "../../../web/client/call.ts";
import type { BodyOf } from "../../../web/client/endpoints.ts";
import { reloadAll } from "../../../web/client/events.ts";
import { toPlural } from "../../../web/client/words.ts";
import { Confirm } from "../../../web/parts/dialog.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";

type TestLabel = { readonly id: string; readonly subject: string | null };

/** The chosen tests, or all that a search finds. */
export type Doomed = { readonly tests: readonly TestLabel[] } | { readonly search: string; readonly expected: number };

type DeleteTestsProps = { readonly doomed: Doomed; readonly onClose: () => void; readonly onDeleted: () => void };

export function DeleteTests({ doomed, onClose, onDeleted }: DeleteTestsProps) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const body = { ...toBody(doomed), undoable: true };
      const { deleted, undo } = await call("POST /api/tests/delete", { body });
      onClose();
      onDeleted();
      const action = undo === undefined ? undefined : { label: "Undo", run: () => void restore(undo) };
      sayDone(`${toPlural(deleted, "test", "tests")} deleted.`, action);
    } catch (error) {
      setTrouble(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Confirm title={`Delete ${toWords(doomed)}?`} action="Delete" isBusy={isBusy} onClose={onClose} onConfirm={remove}>
      <p>Messages, reports, and share links will be deleted. You can undo this for 10 seconds.</p>
      {trouble !== null && <ErrorNote title="Couldn’t delete any tests." message={trouble} />}
    </Confirm>
  );
}

function toBody(doomed: Doomed): BodyOf<"POST /api/tests/delete"> {
  return "tests" in doomed ? { ids: doomed.tests.map(({ id }) => id) } : doomed;
}

function toWords(doomed: Doomed): string {
  if ("search" in doomed)
    return `all ${toPlural(doomed.expected, "test", "tests")}${doomed.search === "" ? "" : " that match"}`;
  const [only] = doomed.tests;
  return doomed.tests.length === 1
    ? `“${only?.subject?.trim() || "No subject"}”`
    : toPlural(doomed.tests.length, "test", "tests");
}

async function restore(undo: string): Promise<void> {
  try {
    const { restored } = await call("POST /api/tests/restore", { body: { undo } });
    sayDone(`${toPlural(restored, "test", "tests")} restored.`);
  } catch (error) {
    // The toast is the only place left that belongs to this deletion.
    sayDone(messageOf(error));
  }
  reloadAll();
}
