// What to do about a finding: its words, what to paste, and a way to try a record before it is published.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Finding } from "../../api/judgment.ts";
import type { TestReport } from "../../api/tests.ts";
import type { GivenRecord } from "../../api/what-if.ts";
import { Copyable, CopyButton } from "../parts/copy.tsx";
import { Words } from "../parts/words.tsx";
import { toProposedRecords } from "./proposed-records.ts";

/** Takes records to where they are tried; null: this page has no such place. */
export const TryRecords = createContext<((records: readonly GivenRecord[]) => void) | null>(null);

/** What stands between backticks is ready to paste. */
export function Remedy({
  test,
  finding,
  fix,
}: {
  readonly test: TestReport;
  readonly finding: Finding;
  readonly fix: string;
}) {
  const tryRecords = useContext(TryRecords);
  const snippets = fix.split("`").filter((_, index) => index % 2 === 1);
  const [only] = snippets;
  const records = tryRecords === null ? [] : toProposedRecords(test, finding);
  return (
    <div class="stack-2" data-fix={only ?? fix}>
      <p class="measure">
        <Words text={fix} />
      </p>
      {snippets.length === 0 ? (
        <CopyButton text={fix} what="what to do" />
      ) : (
        snippets.map((snippet) => <Copyable key={snippet} text={snippet} what={snippet} />)
      )}
      {records.length > 0 && (
        <p class="noprint">
          <button class="btn small" type="button" onClick={() => tryRecords?.(records)}>
            {records.length === 1 ? "Try this record" : "Try these records"}
          </button>{" "}
          <span class="small muted">Nothing is published.</span>
        </p>
      )}
    </div>
  );
}
