// The ways to start a test. The seed address comes first.

import { useCallback, useState } from "preact/hooks";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { goTo, useArrival, useTitle } from "../client/router.tsx";
import { useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { SeedList } from "../parts/seed-list.tsx";
import { ErrorNote, Note } from "../parts/states.tsx";
import { OwnDomain } from "./own-domain.tsx";
import { SampleCard } from "./sample.tsx";

/** The newest message since the page opened. `isReady`: its report can be read. */
type Arrival = { readonly id: string; readonly isReady: boolean };

export function StartPage() {
  useTitle("New test");
  useArrival(true);
  const { seedAddress } = useSession().workspace;
  const [arrival, setArrival] = useState<Arrival | null>(null);
  useEvents(
    useCallback((event) => {
      if (event.type === "test.received") setArrival({ id: event.id, isReady: false });
      if (event.type === "test.analyzed")
        setArrival((known) => (known?.id === event.id ? { ...known, isReady: true } : known));
    }, []),
  );
  return (
    <>
      <div class="page-h">
        <div>
          <h1>Send an email to this address</h1>
          <p>
            Send from the app or service you want to test, just as you would to your subscribers. <Waiting />
          </p>
        </div>
      </div>
      {arrival !== null && (
        <p class="note good mb-4" role="status">
          <Icon name="good" />
          <span>
            <strong>Message received.</strong>{" "}
            {arrival.isReady ? "Your report is ready." : "Assay is analyzing it."}
          </span>
          <a class="btn small primary" href={`/tests/${arrival.id}`}>
            Open report
          </a>
        </p>
      )}
      <SeedAddress />
      <h2 class="mt-7 mb-4">No email ready? Try one of these</h2>
      <div class="grid ways">
        {seedAddress !== null && <SampleCard seedAddress={seedAddress} />}
        <UploadCard />
        <PasteCard />
        <LaboratoryCard />
      </div>
      <OwnDomain />
      <section id="seed-list" aria-labelledby="seed-list-h">
        <div class="sec-h mt-7">
          <h2 id="seed-list-h">Inbox placement</h2>
          <p>
            Send one message to several addresses at once. Your seed inbox creates the test, and your seed
            mailboxes show which folder the message landed in.
          </p>
        </div>
        <SeedList />
      </section>
    </>
  );
}

function Waiting() {
  return <span class="live">Waiting for mail</span>;
}

/** Every workspace has inboxes, but the server no longer accepts mail for their domains. */
function NoSeedAddress() {
  return (
    <Note tone="minor">
      None of your seed addresses work anymore. Their domain was removed from <code>ASSAY_SEED_DOMAINS</code>.{" "}
      <a href="/settings/seed-inboxes">Create a new one</a>, or ask your administrator to add the domain
      again.
    </Note>
  );
}

/** Also shown while the list of tests is empty. */
export function SeedAddress() {
  const { seedAddress } = useSession().workspace;
  if (seedAddress === null) return <NoSeedAddress />;
  const labelled = seedAddress.replace("@", "+welcome@");
  return (
    <div class="stack-2">
      <div class="copy big">
        <code>{seedAddress}</code>
        <CopyButton text={seedAddress} what="the seed address" />
      </div>
      <p class="small muted">
        To label a test, add a plus sign and a word: <code>{labelled}</code>. This address is permanent.
      </p>
    </div>
  );
}

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

function UploadCard() {
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

function PasteCard() {
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
          Paste the full source, including headers. Look for “Show original” or “View source” in your email
          client.
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

function LaboratoryCard() {
  return (
    <section class="card stack" aria-label="Sample gallery">
      <h3>Sample gallery</h3>
      <p class="muted">
        Ready-made emails: some healthy, some with problems. See what a report looks like before you test your
        own.
      </p>
      <a class="btn" href="/laboratory">
        <Icon name="flask" />
        Open sample gallery
      </a>
    </section>
  );
}
