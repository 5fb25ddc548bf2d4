// How a message gets here: the seed address in large letters, and the other ways.

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

export function StartPage() {
  useTitle("New test");
  useArrival(true);
  const { seedAddress } = useSession().workspace;
  const [arrivedId, setArrivedId] = useState<string | null>(null);
  useEvents(
    useCallback((event) => {
      if (event.type === "test.received") setArrivedId(event.id);
    }, []),
  );
  return (
    <>
      <div class="page-h">
        <div>
          <h1>Send a message here. Its report appears by itself.</h1>
          <p>
            Send from the program or service that you want to test, as it sends to your readers. <Waiting />
          </p>
        </div>
      </div>
      {arrivedId !== null && (
        <p class="note good mb-4" role="status">
          <Icon name="good" />
          <span>
            <strong>A message has arrived.</strong> Its report is being written.
          </span>
          <a class="btn small primary" href={`/tests/${arrivedId}`}>
            Open the report
          </a>
        </p>
      )}
      <SeedAddress />
      <h2 class="mt-7 mb-4">Or without sending anything yourself</h2>
      <div class="grid ways">
        {seedAddress !== null && <SampleCard seedAddress={seedAddress} />}
        <UploadCard />
        <PasteCard />
        <LaboratoryCard />
      </div>
      <OwnDomain />
      <section id="seed-list" aria-labelledby="seed-list-h">
        <div class="sec-h mt-7">
          <h2 id="seed-list-h">See where it lands</h2>
          <p>
            Send one message to several addresses at once: your seed inbox makes the test, and your seed
            mailboxes show in which folder it landed.
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

/** There always are inboxes; this server takes no mail for their domains any more. */
function NoSeedAddress() {
  return (
    <Note tone="minor">
      No seed inbox of this workspace receives mail: the server’s setting <code>ASSAY_SEED_DOMAINS</code> no
      longer names their domain. <a href="/settings/seed-inboxes">Make a new one</a>, or have the domain named
      there again.
    </Note>
  );
}

/** Also where the list of tests is still empty. */
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
        A word behind a plus sign becomes the test’s label: <code>{labelled}</code>. The address is this
        workspace’s own and stays.
      </p>
    </div>
  );
}

/** Makes a test of a message's bytes, and opens it. */
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
        A file that your mail program saved (.eml). What only a session would tell stays unknown.
      </p>
      {trouble !== null && <ErrorNote title="It was not taken." message={trouble} />}
      <label class="btn file">
        <Icon name="upload" />
        {isBusy ? "Uploading …" : "Choose a file, or drop it here"}
        <input
          class="vh"
          type="file"
          accept=".eml,message/rfc822"
          onChange={(event) => {
            take(event.currentTarget.files);
            // So that the same file, once mended, can be chosen again.
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
          Its whole source, headers first. Mail programs call it “Show original” or “View source”.
        </span>
        <textarea
          class="input"
          rows={6}
          spellcheck={false}
          aria-label="Source of the message"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {trouble !== null && <ErrorNote title="It was not taken." message={trouble} />}
      <div>
        <button class="btn" type="submit" disabled={isBusy || text.trim() === ""}>
          {isBusy ? "Sending …" : "Analyse it"}
        </button>
      </div>
    </form>
  );
}

function LaboratoryCard() {
  return (
    <section class="card stack" aria-label="Visit the laboratory">
      <h3>Visit the laboratory</h3>
      <p class="muted">
        Prepared messages, in order or with one fault each, sent on one click: see what a report says before
        you read your own.
      </p>
      <a class="btn" href="/laboratory">
        <Icon name="flask" />
        Open the laboratory
      </a>
    </section>
  );
}
