// The message as its bytes say it, read when it is opened: its beginning with numbers of lines, the rest by download.

import { useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { askText } from "../client/ask.ts";
import { countIn } from "../client/find.ts";
import { useLoaded } from "../client/loading.ts";
import { toPlural, toSize } from "../client/words.ts";
import { FindField, Marked } from "../parts/find.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";

/** More is hardly read in a browser, and slows it down. */
export const mostBytes = 262_144;
const mostLines = 8_000;
const mostShown = 400;

export function Source({ test }: { readonly test: TestReport }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card flush source" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary class="p-34">
        <h3>Source of the message</h3>{" "}
        <span class="muted small">{toSize(test.size_bytes)}, read when you open this</span>
      </summary>
      {isOpen && <Text test={test} />}
    </details>
  );
}

function Text({ test }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(test.id, (signal) =>
    askText(`/api/tests/${test.id}/raw`, { signal, mostBytes }),
  );
  if (loaded.state === "failed")
    return (
      <div class="p-34">
        <ErrorNote title="The source could not be read." message={loaded.trouble.message} onRetry={reload} />
      </div>
    );
  if (loaded.value === null)
    return (
      <div class="p-34">
        <Skeleton lines={8} what="the source" />
      </div>
    );
  return <Lines text={loaded.value} isCut={test.size_bytes > mostBytes} />;
}

function Lines({ text, isCut }: { readonly text: string; readonly isCut: boolean }) {
  const [word, setWord] = useState("");
  const [most, setMost] = useState(mostShown);
  const wanted = word.trim();
  const lines = text.split(/\r?\n/);
  const all = lines.slice(0, mostLines);
  const numbered = all.map((line, index) => ({ line, number: index + 1 }));
  const found = wanted === "" ? numbered : numbered.filter(({ line }) => countIn(line, wanted) > 0);
  return (
    <>
      <div class="p-34 rule row between">
        <span class="small muted">
          {toPlural(all.length, "line", "lines")}
          {lines.length > mostLines
            ? ": the first of more. Download the message for all of them."
            : isCut && `: the first ${toSize(mostBytes)}. Download the message for all of it.`}
        </span>
        <FindField
          where="in the source"
          placeholder="Find in the source"
          word={word}
          onFind={setWord}
          found={found.length === 0 ? "not found" : toPlural(found.length, "line", "lines")}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="src" aria-label="Source" tabIndex={0}>
        <ol>
          {found.slice(0, most).map(({ line, number }) => (
            <li key={number} value={number}>
              <Marked text={line} word={wanted} />
            </li>
          ))}
        </ol>
        {found.length > most && (
          <p class="p-34">
            <button class="btn small" type="button" onClick={() => setMost(most + 2_000)}>
              Show more of {toPlural(found.length, "line", "lines")}
            </button>
          </p>
        )}
      </section>
    </>
  );
}
