// Ways to get an answer without sending anything: a pasted text or a file, and the sample gallery.

import { useState } from "preact/hooks";
import { call } from "../../../../web/client/call.ts";
import { goTo } from "../../../../web/client/router.tsx";
import { useDoing } from "../../../../web/client/use-action.ts";
import { Icon } from "../../../../web/parts/icon.tsx";
import { ErrorNote, Note } from "../../../../web/parts/states.tsx";
import { readPasted } from "../../rules/pasted.ts";

const acts = {
  message: "Test this message",
  code: "Explain this code",
  results: "What this means",
  domain: "Check this domain",
  question: "Search the handbook",
} as const;

/** One box for a bounce, a code, a message, a domain, or a question, and for a message file. */
export function PasteCard() {
  const { isBusy, trouble, run } = useDoing();
  const [text, setText] = useState("");
  const [isOver, setOver] = useState(false);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const upload = (...messages: readonly Blob[]) =>
    run(async () => {
      setTaken([]);
      let testId: string | null = null;
      for (const message of messages) {
        const body = await message.arrayBuffer();
        const { id, not_a_test } = await call("POST /api/tests/upload", { body, mediaType: "message/rfc822" });
        if (not_a_test === undefined) testId = id;
        else setTaken((before) => before.concat(not_a_test.says));
      }
      if (testId !== null) goTo(`/tests/${testId}`);
    });
  const take = (files: FileList | null | undefined) => {
    if (files && files.length > 0) void upload(...files);
  };
  const pasted = readPasted(text);
  const answer = (event: SubmitEvent) => {
    event.preventDefault();
    if (pasted.kind === "message") void upload(new Blob([text.trimStart().replace(/\r?\n/g, "\r\n")]));
    else if (pasted.kind === "domain") goTo(pasted.path);
    else window.location.assign(pasted.path);
  };
  return (
    <form
      id="paste"
      class={`card stack drop${isOver ? " over" : ""}`}
      aria-label="Paste anything"
      aria-busy={isBusy}
      onSubmit={answer}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <h2 class="t4">Or paste anything</h2>
      <label class="field">
        <span class="hint">A bounce or its code, a message with its headers, a domain, or a question.</span>
        <textarea
          class="input"
          rows={2}
          spellcheck={false}
          aria-label="Pasted text"
          placeholder="550 5.7.26"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {pasted.kind === "results" && (
        <Note>
          <strong>{pasted.says ?? "These headers have no result for SPF, DKIM, or DMARC"}.</strong> To test the message,
          paste all of its headers.
        </Note>
      )}
      {taken.length > 0 && (
        <Note>
          <strong>Received, and not listed as a test.</strong> See <a href="/feedback">Feedback</a>.
          <ul>
            {[...new Set(taken)].map((says) => (
              <li key={says}>{says}</li>
            ))}
          </ul>
        </Note>
      )}
      {trouble !== null && <ErrorNote title="Couldn’t use this message." message={trouble.message} />}
      <div class="row">
        <button class="btn" type="submit" disabled={isBusy || text.trim() === ""}>
          {isBusy ? "Testing …" : text.trim() === "" ? "Get an answer" : acts[pasted.kind]}
        </button>
        <label class="btn file">
          <Icon name="upload" />
          Choose or drop a message or report file
          <input
            class="vh"
            type="file"
            multiple
            accept=".eml,.xml,.gz,.zip,.json,message/rfc822"
            onChange={(event) => {
              take(event.currentTarget.files);
              // Lets people choose the same file again after they edit it.
              event.currentTarget.value = "";
            }}
          />
        </label>
      </div>
      <p class="small muted">
        To copy a whole message, choose “Show original” or “View source” in your email client. Without an SMTP session,
        some checks are skipped. You can also choose files of DMARC and TLS reports.
      </p>
    </form>
  );
}
