// What is inside. The message itself is only ever shown in a frame without rights, from an address of its own; all else
// that it says stands here as text.

import { useState } from "preact/hooks";
import type { readEml } from "../../api/eml.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { TestReport } from "../../api/tests.ts";
import { addressOf, ask } from "../client/ask.ts";
import { useLoaded } from "../client/loading.ts";
import { toPlural, toShortTime, toSize } from "../client/words.ts";
import { Choice } from "../parts/field.tsx";
import { ErrorNote, Note, Skeleton } from "../parts/states.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";

type Eml = AnswerOf<typeof readEml>;

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

type View = "desktop" | "phone" | "text";

const views = [
  { value: "desktop", label: "Desktop" },
  { value: "phone", label: "Phone" },
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
          options={hasPage ? views : views.slice(2)}
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
          <span class="faint small">{toShortTime(test.received_at)}</span>
        </div>
        <div>{test.subject?.trim() || "No subject"}</div>
      </div>
      {view === "text" || !hasPage ? (
        <pre class="in-text shown">{eml.body.text ?? "There is no text part."}</pre>
      ) : (
        <iframe
          key={withPictures ? "with" : "without"}
          sandbox=""
          referrerpolicy="no-referrer"
          title="The message as it was received, cleaned"
          src={addressOf(`/preview/${test.id}`, withPictures ? { images: "1" } : {})}
        />
      )}
    </div>
  );
}

function toTabs(testId: string, eml: Eml): readonly Tab[] {
  const { links, links_cut, images, images_cut, tracking_pixels, attachments } = eml;
  return [
    { name: `Links ${links.length + links_cut}`, content: () => <Links links={links} cut={links_cut} /> },
    {
      name: `Pictures ${images.length + images_cut}`,
      content: () => <Images images={images} cut={images_cut} />,
    },
    { name: `Tracking ${tracking_pixels.length}`, content: () => <Pixels pixels={tracking_pixels} /> },
    {
      name: `Attachments ${attachments.length}`,
      content: () => <Attachments testId={testId} attachments={attachments} />,
    },
  ];
}

function Cut({ count }: { readonly count: number }) {
  return count > 0 ? <p class="muted small p-34">And {count} more that are not listed.</p> : null;
}

/** Addresses out of the message are text here: nobody should follow them by mistake. */
function Links({ links, cut }: { readonly links: Eml["links"]; readonly cut: number }) {
  if (links.length === 0) return <p class="muted p-34">There is none.</p>;
  return (
    <>
      <table class="table fold">
        <caption class="vh">Links</caption>
        <thead>
          <tr>
            <th scope="col">Shown</th>
            <th scope="col">Leads to</th>
            <th scope="col">Remarks</th>
          </tr>
        </thead>
        <tbody>
          {links.map(({ text, href, redirector, warnings, place }, index) => (
            <tr key={`${href}-${index}`}>
              <th scope="row">{text.trim() || <span class="faint">no text</span>}</th>
              <td data-l="Leads to">
                <code>{href}</code>
              </td>
              <td data-l="Remarks">
                <span class="small">
                  {[
                    place === "text" ? "in the text part" : "",
                    redirector ? `counted by ${redirector.name}` : "",
                    ...warnings,
                  ]
                    .filter((one) => one !== "")
                    .join(", ") || "–"}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Cut count={cut} />
    </>
  );
}

function Images({ images, cut }: { readonly images: Eml["images"]; readonly cut: number }) {
  if (images.length === 0) return <p class="muted p-34">There is none.</p>;
  return (
    <>
      <table class="table fold">
        <caption class="vh">Pictures</caption>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Described as</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          {images.map(({ src, alt, width, height, bytes, kind }, index) => (
            <tr key={`${src}-${index}`}>
              <th scope="row">
                <code>{src}</code> <span class="label">{kind}</span>
              </th>
              <td data-l="Described as">
                {alt === null ? <span class="faint">not at all</span> : alt || "decoration"}
              </td>
              <td data-l="Size">
                <span>
                  {width !== null && height !== null ? `${width} × ${height}` : "not said"}
                  {bytes !== null && `, ${toSize(bytes)}`}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Cut count={cut} />
    </>
  );
}

function Pixels({ pixels }: { readonly pixels: Eml["tracking_pixels"] }) {
  if (pixels.length === 0) return <p class="muted p-34">There is none.</p>;
  return (
    <ul class="plain">
      {pixels.map(({ src, service, reasons }, index) => (
        <li key={`${src}-${index}`}>
          <code>{src}</code>
          <span class="small muted">
            {[service ?? "", ...reasons].filter((one) => one !== "").join(", ")}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Attachments({
  testId,
  attachments,
}: {
  readonly testId: string;
  readonly attachments: Eml["attachments"];
}) {
  if (attachments.length === 0) return <p class="muted p-34">There is none.</p>;
  return (
    <ul class="plain">
      {attachments.map(({ part, filename, content_type, actual_type, size_bytes, warnings }) => (
        <li key={part}>
          <span>
            <strong>{filename ?? "without a name"}</strong>{" "}
            <span class="muted">
              {content_type}
              {actual_type !== null && actual_type !== content_type && `, in truth ${actual_type}`},{" "}
              {toSize(size_bytes)}
            </span>
          </span>
          <span class="small muted">{warnings.map(({ warning }) => warning).join(", ")}</span>
          <a
            class="btn small"
            href={addressOf(`/api/tests/${testId}/attachments/${encodeURIComponent(part)}`)}
            download
            aria-label={`Download ${filename ?? "the attachment"}`}
          >
            Download
          </a>
        </li>
      ))}
    </ul>
  );
}
