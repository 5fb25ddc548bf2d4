// What to do about a finding: its words, what to paste, and a way to try a record before it is published.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Finding } from "../../api/judgment.ts";
import { Copyable, CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import type { RecordRow } from "../parts/record-form.tsx";
import { Words } from "../parts/words.tsx";

type Trial = {
  /** The records that a finding proposes; none where it proposes none. */
  readonly toRecords: (finding: Finding) => readonly RecordRow[];
  readonly begin: (records: readonly RecordRow[]) => void;
};

/** Null: this page has no place to try records. */
export const TrialContext = createContext<Trial | null>(null);

/** Names a part, as `include:` does, and is nothing to paste. */
const name = /^[\w-]+[:=]?$/;

/** What stands between backticks is ready to paste, unless it only names something. */
export function Remedy({ finding, fix }: { readonly finding: Finding; readonly fix: string }) {
  const trial = useContext(TrialContext);
  const snippets = fix.split("`").filter((part, index) => index % 2 === 1 && !name.test(part));
  const [only] = snippets;
  const records = trial?.toRecords(finding) ?? [];
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
        <p class="row noprint">
          <button class="btn small" type="button" onClick={() => trial?.begin(records)}>
            <Icon name="flask" />
            Try this record
          </button>
          <span class="small muted">See what it would change. Nothing is published.</span>
        </p>
      )}
    </div>
  );
}
