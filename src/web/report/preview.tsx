// The message as recipients see it, in a sandboxed frame from its own URL. Nothing remote loads before a warning.

import { useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { addressOf } from "../client/call.ts";
import type { QueryOf } from "../client/endpoints.ts";
import { toPlural } from "../client/words.ts";
import { Choice } from "../parts/form.tsx";
import { Note } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import type { Eml } from "./content.tsx";

const views = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
  { value: "dark", label: "Dark" },
  { value: "bare", label: "Images off" },
  { value: "text", label: "Text" },
] as const;

type View = (typeof views)[number]["value"];

/** Phones start with the phone view. */
function toOwnView(): View {
  return window.matchMedia("(max-width: 47.99rem)").matches ? "phone" : "desktop";
}

export function Preview({ test, eml }: { readonly test: TestReport; readonly eml: Eml }) {
  const hasPage = eml.body.html_safe !== null;
  const [view, setView] = useState<View>(hasPage ? toOwnView() : "text");
  const [withImages, setImages] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const remote = eml.images.filter(({ kind, tracking }) => kind === "remote" && tracking === null).length;
  const isPage = hasPage && view !== "text";
  return (
    <div class={`frame as-${view}`}>
      <div class="top">
        <Choice legend="Preview as" options={hasPage ? views : views.slice(-1)} value={view} onChoose={setView} />
        {remote > 0 && isPage && view !== "bare" && (
          <button
            class="btn small"
            type="button"
            aria-expanded={withImages ? undefined : isAsking}
            onClick={() => (withImages ? setImages(false) : setAsking(!isAsking))}
          >
            {withImages ? "Hide remote images" : `Load ${toPlural(remote, "remote image", "remote images")}`}
          </button>
        )}
      </div>
      {isAsking && !withImages && isPage && view !== "bare" && (
        <Warning
          onLoad={() => {
            setAsking(false);
            setImages(true);
          }}
        />
      )}
      <Envelope test={test} />
      {isPage ? (
        <iframe
          key={`${withImages} ${view === "dark"} ${view === "bare"}`}
          sandbox=""
          referrerpolicy="no-referrer"
          title="Message preview"
          src={addressOf("/preview/:id", { params: { id: test.id }, query: toImageMode(view, withImages) })}
        />
      ) : (
        <pre class="in-text shown">{eml.body.text ?? "No plain-text part."}</pre>
      )}
      {isPage && <Shown view={view} remote={withImages ? 0 : remote} />}
    </div>
  );
}

function toImageMode(view: View, withImages: boolean): QueryOf<"GET /preview/:id"> {
  if (view === "bare") return { images: "none" };
  return withImages ? { images: "1" } : {};
}

function Warning({ onLoad }: { readonly onLoad: () => void }) {
  return (
    <div class="p-34">
      <Note tone="minor">
        Your browser will load the images from the internet. This can tell the sender when you opened the message, and
        from which IP address. Tracking pixels aren’t loaded.{" "}
        <button class="btn small" type="button" onClick={onLoad}>
          Load images{" "}
        </button>
      </Note>
    </div>
  );
}

function Envelope({ test }: { readonly test: TestReport }) {
  return (
    <div class="env">
      <div class="from">
        <strong>{test.from?.trim() || "No sender"}</strong>
        <span class="faint small nowrap">
          <Moment time={test.received_at} />
        </span>
      </div>
      <div dir="auto">{test.subject?.trim() || "No subject"}</div>
    </div>
  );
}

/** What differs between this view and the message in an email client. */
function Shown({ view, remote }: { readonly view: View; readonly remote: number }) {
  const note =
    view === "bare"
      ? "How the message looks in email clients that block images. The alt text must get the point across."
      : view === "dark"
        ? "Shown with the message’s own dark styles. Some email clients also invert colors."
        : remote > 0
          ? `${toPlural(remote, "remote image", "remote images")} not loaded.`
          : "";
  return note === "" ? null : <p class="small muted p-34 shown-as">{note}</p>;
}
