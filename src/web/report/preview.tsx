// The message as readers see it: in a frame without rights, from an address of its own. Nothing loads from outside before
// the reader was warned.

import { useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
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

/** A phone shows it as a phone does. */
function toOwnView(): View {
  return window.matchMedia("(max-width: 47.99rem)").matches ? "phone" : "desktop";
}

export function Preview({ test, eml }: { readonly test: TestReport; readonly eml: Eml }) {
  const hasPage = eml.body.html_safe !== null;
  const [view, setView] = useState<View>(hasPage ? toOwnView() : "text");
  const [withPictures, setPictures] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const remote = eml.images.filter(({ kind, tracking }) => kind === "remote" && tracking === null).length;
  const isPage = hasPage && view !== "text";
  return (
    <div class={`frame as-${view}`}>
      <div class="top">
        <Choice
          legend="Preview as"
          options={hasPage ? views : views.slice(-1)}
          value={view}
          onChoose={setView}
        />
        {remote > 0 && isPage && view !== "bare" && (
          <button
            class="btn small"
            type="button"
            aria-expanded={withPictures ? undefined : isAsking}
            onClick={() => (withPictures ? setPictures(false) : setAsking(!isAsking))}
          >
            {withPictures
              ? "Leave pictures out"
              : `Load ${toPlural(remote, "remote picture", "remote pictures")}`}
          </button>
        )}
      </div>
      {isAsking && !withPictures && isPage && view !== "bare" && (
        <Warning
          onLoad={() => {
            setAsking(false);
            setPictures(true);
          }}
        />
      )}
      <Envelope test={test} />
      {isPage ? (
        <iframe
          key={`${withPictures} ${view === "dark"} ${view === "bare"}`}
          sandbox=""
          referrerpolicy="no-referrer"
          title="The message as it was received, cleaned"
          src={addressOf("/preview/:id", { params: { id: test.id }, query: toPictures(view, withPictures) })}
        />
      ) : (
        <pre class="in-text shown">{eml.body.text ?? "There is no text part."}</pre>
      )}
      {isPage && <Shown view={view} remote={withPictures ? 0 : remote} />}
    </div>
  );
}

function toPictures(view: View, withPictures: boolean): QueryOf<"GET /preview/:id"> {
  if (view === "bare") return { images: "none" };
  return withPictures ? { images: "1" } : {};
}

function Warning({ onLoad }: { readonly onLoad: () => void }) {
  return (
    <div class="p-34">
      <Note tone="minor">
        Loading them tells the sender that, when and from where this message was opened. Your browser does it,
        not Assay; pixels that only count are left out.{" "}
        <button class="btn small" type="button" onClick={onLoad}>
          Load them
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
      <div>{test.subject?.trim() || "No subject"}</div>
    </div>
  );
}

/** What the reader must know to trust what stands there. */
function Shown({ view, remote }: { readonly view: View; readonly remote: number }) {
  const said =
    view === "bare"
      ? "As programs show it that load no pictures: what it says must stand in their texts."
      : view === "dark"
        ? "As it was written for a dark screen. Programs that turn colours round by themselves do more than this."
        : remote > 0
          ? `${toPlural(remote, "picture", "pictures")} from outside: left out so far.`
          : "";
  return said === "" ? null : <p class="small muted p-34 shown-as">{said}</p>;
}
