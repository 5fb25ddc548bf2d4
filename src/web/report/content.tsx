// What is inside. The message itself is only ever shown in a frame without rights, from an address of its own; all else
// that it says stands here as text.

import { useState } from "preact/hooks";
import type { readEml } from "../../api/eml.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { TestReport } from "../../api/tests.ts";
import { addressOf, ask } from "../client/ask.ts";
import { useLoaded } from "../client/loading.ts";
import { toPlural, toShortTime } from "../client/words.ts";
import { Choice } from "../parts/field.tsx";
import { ErrorNote, Note, Skeleton } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { toTabs } from "./inventory.tsx";

export type Eml = AnswerOf<typeof readEml>;

export function ContentSection({ test }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(test.id, (signal) =>
    ask<Eml>("GET", `/api/tests/${test.id}/eml`, { signal }),
  );
  const eml = loaded.value;
  return (
    <section class="sec" id="content" aria-labelledby="content-h">
      <div class="sec-h">
        <h2 id="content-h">Content{eml ? `: ${toConclusion(eml)}` : ""}</h2>
        <p>The preview is cleaned of scripts and loads nothing from outside.</p>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="The message could not be read." message={loaded.trouble.message} onRetry={reload} />
      )}
      {eml === null && loaded.state === "loading" && <Skeleton lines={6} what="the message" />}
      {eml && (
        <div class="stack">
          <Preview test={test} eml={eml} />
          <Tabs label="What is inside" tabs={toTabs(test.id, eml)} />
        </div>
      )}
    </section>
  );
}

function toConclusion({ links, links_cut, images, images_cut, attachments, tracking_pixels }: Eml): string {
  const said = [
    toPlural(links.length + links_cut, "link", "links"),
    toPlural(images.length + images_cut, "picture", "pictures"),
    toPlural(attachments.length, "attachment", "attachments"),
  ];
  return `${said.join(", ")}${tracking_pixels.length > 0 ? `, ${toPlural(tracking_pixels.length, "tracking pixel", "tracking pixels")}` : ""}`;
}

type View = "desktop" | "phone" | "dark" | "text";

const views = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
  { value: "dark", label: "Dark" },
  { value: "text", label: "Text" },
] as const;

function Preview({ test, eml }: { readonly test: TestReport; readonly eml: Eml }) {
  const hasPage = eml.body.html_safe !== null;
  const [view, setView] = useState<View>(hasPage ? "desktop" : "text");
  const [withPictures, setPictures] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const remote = eml.images.filter(({ kind }) => kind === "remote").length;
  return (
    <div class={`frame as-${view}`}>
      <div class="top">
        <Choice
          legend="Preview as"
          options={hasPage ? views : views.slice(-1)}
          value={view}
          onChoose={setView}
        />
        {remote > 0 && view !== "text" && (
          <button
            class="btn small"
            type="button"
            onClick={() => (withPictures ? setPictures(false) : setAsking(!isAsking))}
          >
            {withPictures ? "Pictures off" : `Load ${toPlural(remote, "remote picture", "remote pictures")}`}
          </button>
        )}
      </div>
      {isAsking && !withPictures && (
        <div class="p-34">
          <Note tone="minor">
            Loading them tells the sender that, when and from where this message was opened. Your browser does
            it, not Assay; pixels that only count are left out.{" "}
            <button
              class="btn small"
              type="button"
              onClick={() => {
                setAsking(false);
                setPictures(true);
              }}
            >
              Load them
            </button>
          </Note>
        </div>
      )}
      <div class="env">
        <div class="from">
          <strong>{test.from?.trim() || "No sender"}</strong>
          <span class="faint small nowrap">{toShortTime(test.received_at)}</span>
        </div>
        <div>{test.subject?.trim() || "No subject"}</div>
      </div>
      {view === "text" || !hasPage ? (
        <pre class="in-text shown">{eml.body.text ?? "There is no text part."}</pre>
      ) : (
        <iframe
          key={`${withPictures} ${view === "dark"}`}
          sandbox=""
          referrerpolicy="no-referrer"
          title="The message as it was received, cleaned"
          src={addressOf(`/preview/${test.id}`, withPictures ? { images: "1" } : {})}
        />
      )}
    </div>
  );
}
