// Ways to get a report without sending anything: a file, a pasted source, and the sample gallery.

import { useState } from "preact/hooks";
import { call } from "../../../../web/client/call.ts";
import { goTo } from "../../../../web/client/router.tsx";
import { useDoing } from "../../../../web/client/use-action.ts";
import { Icon } from "../../../../web/parts/icon.tsx";
import { ErrorNote } from "../../../../web/parts/states.tsx";

/** Creates a test from the message source and opens it. */
function useUpload() {
  const { isBusy, trouble, run } = useDoing();
  const upload = (message: Blob) =>
    run(async () => {
      const body = await message.arrayBuffer();
      const { id } = await call("POST /api/tests/upload", { body, mediaType: "message/rfc822" });
      goTo(`/tests/${id}`);
    });
  return { upload, trouble: trouble?.message ?? null, isBusy };
}

export function UploadCard() {
  const { upload, trouble, isBusy } = useUpload();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) void upload(file);
  };
  return (
    <section
      class={`card stack drop${isOver ? " over" : ""}`}
      aria-label="Upload a message"
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
      <h3>Upload a message</h3>
      <p class="muted">
        Use an .eml file saved by your email client. Checks that need a live SMTP session are skipped.
      </p>
      {trouble !== null && <ErrorNote title="Couldn’t use this message." message={trouble} />}
      <label class="btn file">
        <Icon name="upload" />
        {isBusy ? "Uploading …" : "Choose or drop a file"}
        <input
          class="vh"
          type="file"
          accept=".eml,message/rfc822"
          onChange={(event) => {
            take(event.currentTarget.files);
            // Lets people choose the same file again after they edit it.
            event.currentTarget.value = "";
          }}
        />
      </label>
    </section>
  );
}

export function PasteCard() {
  const { upload, trouble, isBusy } = useUpload();
  const [text, setText] = useState("");
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    void upload(new Blob([text.trimStart().replace(/\r?\n/g, "\r\n")]));
  };
  return (
    <form class="card stack" onSubmit={send} aria-label="Paste a message">
      <h3>Paste a message</h3>
      <label class="field">
        <span class="hint">
          Paste the full source, including headers. Look for “Show original” or “View source” in your email client.
        </span>
        <textarea
          class="input"
          rows={6}
          spellcheck={false}
          aria-label="Message source"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {trouble !== null && <ErrorNote title="Couldn’t use this message." message={trouble} />}
      <div>
        <button class="btn" type="submit" disabled={isBusy || text.trim() === ""}>
          {isBusy ? "Analyzing …" : "Analyze message"}
        </button>
      </div>
    </form>
  );
}

export function LaboratoryCard() {
  return (
    <section class="card stack" aria-label="Sample gallery">
      <h3>Sample gallery</h3>
      <p class="muted">
        Ready-made emails: some healthy, some with problems. See what a report looks like before you test your own.
      </p>
      <a class="btn" href="/laboratory">
        <Icon name="flask" />
        Open sample gallery
      </a>
    </section>
  );
}
