// The fix for a finding: instructions, snippets to paste, and a preview of its DNS records.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Finding, ProposedRecord } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { noteReaders, toFixWords, toNote } from "../../features/tests/words/note-words.ts";
import { Copyable, CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import type { RecordRow } from "../parts/record-form.tsx";
import { isStatic } from "../parts/static.ts";
import { Words } from "../parts/text.tsx";

type Trial = {
  /** The records that a finding proposes, if any. */
  readonly toRecords: (finding: Finding) => readonly RecordRow[];
  readonly begin: (records: readonly RecordRow[]) => void;
};

/** Null if the page has no DNS preview. */
export const TrialContext = createContext<Trial | null>(null);

/** Details for notes to copy. `link` is the URL of the report. */
export const NoteContext = createContext<{ readonly domain: string | null; readonly link: string | null }>({
  domain: null,
  link: null,
});

/** A whole HTML tag or header that can be pasted as is. Fragments don't match. */
const whole = /^(?:<[^<>]{1,500}>.{0,500}|[A-Z][A-Za-z-]{0,60}: .{1,500})$/;

type RemedyProps = {
  readonly finding: Finding;
  readonly fix: string;
  /** What is wrong, if it isn’t said above. */
  readonly says?: string;
};

/** What to do, with everything to paste. */
export function Remedy({ finding, fix, says }: RemedyProps) {
  const { records } = finding;
  const snippets = fix.split("`").filter((part, index) => index % 2 === 1 && whole.test(part));
  return (
    <div class="stack-2" data-fix={records[0]?.value ?? snippets[0] ?? fix}>
      <p class="measure">
        {says !== undefined && (
          <>
            <Words text={says} />{" "}
          </>
        )}
        <Words text={withoutEnd(toFixWords(fix, records), snippets)} />
      </p>
      {records.map((record) => (
        <WholeRecord key={`${record.name} ${record.type} ${record.value}`} record={record} />
      ))}
      {snippets.map((snippet) => (
        <Copyable key={snippet} text={snippet} what={snippet} />
      ))}
    </div>
  );
}

const endInCode = /:(?: (?:and )?`[^`]{1,600}`){1,9}\.$/;

/** Each snippet is shown once, in its box. */
function withoutEnd(fix: string, snippets: readonly string[]): string {
  const end = endInCode.exec(fix);
  const isBoxed = end?.[0].split("`").every((part, index) => index % 2 === 0 || snippets.includes(part));
  return end && isBoxed ? `${fix.slice(0, end.index)}:` : fix;
}

/** What a reader can do with the fix here. About a forged message, the reader has no one to pass a note to. */
type ActionProps = Pick<RemedyProps, "finding"> & { readonly cures: string | null };

export function RemedyActions({ finding, cures }: ActionProps) {
  const trial = useContext(TrialContext);
  const note = useContext(NoteContext);
  const { owner, records, title } = finding;
  const rows = trial?.toRecords(finding) ?? [];
  if (isStatic) return null;
  return (
    <>
      {rows.length > 0 && (
        <button class="btn small" type="button" onClick={() => trial?.begin(rows)}>
          <Icon name="flask" />
          {records.length > 1 ? "Preview these records" : "Preview this record"}
        </button>
      )}
      <CopyButton
        text={toNote({ owner, findings: [{ ...finding, cures }], ...note })}
        label={`Note for ${noteReaders[owner]}`}
        what={`about “${title}”, to copy`}
      />
    </>
  );
}

/** Name and value are separate, as in the forms of DNS providers. */
function WholeRecord({ record: { name, type, value, replaces } }: { readonly record: ProposedRecord }) {
  return (
    <dl class="kv">
      <dt>Name</dt>
      <dd>
        <Copyable text={name} what={`the name of the ${type} record`} />
      </dd>
      <dt>Type</dt>
      <dd>{type}</dd>
      <dt>Value</dt>
      <dd class="main">
        <Copyable text={value} what={`the value of the ${type} record`} />
      </dd>
      {replaces.length > 0 && (
        <>
          <dt>Replaces</dt>
          <dd>
            {replaces.map((text) => (
              <code key={text}>{text}</code>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

/** One note for each person who has something to fix. */
export function Notes({ notes }: { readonly notes: NonNullable<TestReport["notes"]> }) {
  const { link } = useContext(NoteContext);
  if (isStatic || notes.length === 0) return null;
  return (
    <details class="more noprint">
      <summary>Notes for colleagues</summary>
      <p class="row">
        {notes.map(({ owner, label, text }) => (
          <CopyButton
            key={owner}
            text={link === null ? text : `${text}\n\nReport: ${link}`}
            label={`Copy a note for ${label}`}
            what="about everything that they have to fix"
          />
        ))}
      </p>
    </details>
  );
}
