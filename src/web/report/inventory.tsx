// What stands inside the message, listed: links, pictures, what counts its readers, files. Addresses out of the message
// are text here: nobody should follow them by mistake.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../client/ask.ts";
import { toSize } from "../client/words.ts";
import type { Tab } from "../parts/tabs.tsx";
import type { Eml } from "./content.tsx";

export function toTabs(testId: string, eml: Eml): readonly Tab[] {
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

const mostRows = 12;

/** The first of many, and all of them on request. */
function useFirst<T>(all: readonly T[]): { readonly shown: readonly T[]; readonly more: ComponentChildren } {
  const [isWhole, setWhole] = useState(false);
  const more =
    isWhole || all.length <= mostRows ? null : (
      <p class="p-34">
        <button class="btn small" type="button" onClick={() => setWhole(true)}>
          Show all {all.length}
        </button>
      </p>
    );
  return { shown: isWhole ? all : all.slice(0, mostRows), more };
}

function Cut({ count }: { readonly count: number }) {
  return count > 0 ? <p class="muted small p-34">And {count} more that are not listed.</p> : null;
}

function Links({ links, cut }: { readonly links: Eml["links"]; readonly cut: number }) {
  const { shown, more } = useFirst(links);
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
          {shown.map(({ text, href, redirector, warnings, place }, index) => (
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
      {more}
      <Cut count={cut} />
    </>
  );
}

function Images({ images, cut }: { readonly images: Eml["images"]; readonly cut: number }) {
  const { shown, more } = useFirst(images);
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
          {shown.map(({ src, alt, width, height, bytes, kind }, index) => (
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
      {more}
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
