// What stands inside the message, listed: links, pictures, what counts its readers, files. Addresses out of the message
// are text here: nobody should follow them by mistake.

import type { ComponentChildren } from "preact";
import type { TestReport } from "../../api/tests.ts";
import { addressOf } from "../client/call.ts";
import { toCount, toPlural, toSize } from "../client/words.ts";
import type { Tab } from "../parts/navigation.tsx";
import { toFileRemarks } from "./attachment-words.ts";
import type { Eml } from "./content.tsx";
import { countDifferent, toLinkRemarks } from "./link-remarks.ts";
import { Listing, type Remark, Remarks } from "./listing.tsx";

export function toTabs({ id: testId, findings }: TestReport, eml: Eml): readonly Tab[] {
  const { links_cut, images_cut, tracking_pixels, attachments } = eml;
  return [
    {
      name: `Links ${toLinkCount(eml)}`,
      content: () => <Links links={eml.links} cut={links_cut} findings={findings} />,
    },
    {
      name: `Pictures ${toPictures(eml).length + images_cut}`,
      content: () => <Images images={toPictures(eml)} cut={images_cut} />,
    },
    { name: `Tracking ${tracking_pixels.length}`, content: () => <Pixels pixels={tracking_pixels} /> },
    {
      name: `Attachments ${attachments.length}`,
      content: () => <Attachments testId={testId} attachments={attachments} />,
    },
  ];
}

/** Links that are not listed can’t be compared: the sign says that there are more. */
export function toLinkCount({ links, links_cut }: Eml): string {
  return `${toCount(countDifferent(links))}${links_cut > 0 ? "+" : ""}`;
}

/** Those that people see: what only counts them is listed on its own. */
export function toPictures({ images }: Eml): Eml["images"] {
  return images.filter(({ tracking }) => tracking === null);
}

type LinksProps = {
  readonly links: Eml["links"];
  readonly cut: number;
  readonly findings: TestReport["findings"];
};

function Links({ links, cut, findings }: LinksProps) {
  const different = countDifferent(links);
  return (
    <>
      {different < links.length && (
        <p class="muted small p-34">
          {toPlural(different, "link", "links")}, found in {toPlural(links.length, "place", "places")}.
        </p>
      )}
      <Listing
        caption="Links"
        columns={["The reader sees", "It opens", "Remarks"]}
        none="The message has no links."
        rows={links}
        cut={cut}
        cells={(link) => [
          link.text.trim() ? toBreakable(link.text.trim()) : <span class="faint">no text</span>,
          <Target key="target" link={link} />,
          <Remarks key="remarks" remarks={toLinkRemarks(link, findings)} />,
        ]}
      />
    </>
  );
}

/** An address breaks between its parts before it breaks inside of one. */
function toBreakable(text: string): ComponentChildren {
  return text
    .split(/(?<=[^/][/?&=])(?!\/)/)
    .map((part, index) => (index === 0 ? part : [<wbr key={index} />, part]));
}

/** The host first, because it alone says who is visited. */
function Target({ link: { href, host, text, redirector } }: { readonly link: Eml["links"][number] }) {
  return (
    <>
      {host !== null && <strong>{host}</strong>}{" "}
      {(host === null || text !== href) && <code class="small muted">{toBreakable(href)}</code>}
      {redirector !== null && redirector.target !== null && (
        <span class="leads">
          and from there <code class="small">{toBreakable(redirector.target)}</code>
        </span>
      )}
    </>
  );
}

const kinds: Readonly<Record<Eml["images"][number]["kind"], string>> = {
  remote: "from outside",
  cid: "brought along",
  data: "written into the HTML",
  none: "leads nowhere",
};

function Images({ images, cut }: { readonly images: Eml["images"]; readonly cut: number }) {
  return (
    <Listing
      caption="Pictures"
      columns={["Picture", "Described as", "Size", "Remarks"]}
      none="The message shows no pictures."
      rows={images}
      cut={cut}
      cells={(image) => [
        <>
          <code class="small">{image.src ? toBreakable(image.src) : "no address"}</code>
          <span class="label leads">
            {kinds[image.kind]}
            {image.format !== null && `, ${image.format.toUpperCase()}`}
          </span>
        </>,
        image.alt === null ? <span class="faint">not at all</span> : image.alt || "nothing: it decorates",
        <span key="size" class="nowrap">
          {toImageSize(image)}
        </span>,
        <Remarks key="remarks" remarks={toImageRemarks(image)} />,
      ]}
    />
  );
}

function toImageSize({ width, height, bytes }: Eml["images"][number]): string {
  const shown = width !== null && height !== null ? `${width} × ${height}` : "not said";
  return bytes === null ? shown : `${shown}, ${toSize(bytes)}`;
}

function toImageRemarks({ alt, width, height, place }: Eml["images"][number]): Remark[] {
  if (place !== "img") return [{ tone: "info", text: `Loaded by ${place}.` }];
  return [
    ...(alt === null ? [{ tone: "minor" as const, text: "A screen reader has nothing to say." }] : []),
    ...(width === null || height === null
      ? [{ tone: "info" as const, text: "The text moves when it loads." }]
      : []),
  ];
}

function Pixels({ pixels }: { readonly pixels: Eml["tracking_pixels"] }) {
  return (
    <Listing
      caption="Tracking pixels"
      columns={["Told to", "Address", "How it shows"]}
      none="Nothing in the message counts who opens it."
      rows={pixels}
      cells={({ src, host, service, reasons }) => [
        service ?? host ?? "nobody known",
        <code key="address" class="small muted">
          {toBreakable(src)}
        </code>,
        reasons.length === 0 ? "–" : `It ${reasons.join(", and it ")}.`,
      ]}
    />
  );
}

type FileProps = { readonly testId: string; readonly attachments: Eml["attachments"] };

function Attachments({ testId, attachments }: FileProps) {
  return (
    <Listing
      caption="Attachments"
      columns={["File", "Type", "Size", "Remarks", "Save"]}
      none="The message carries no files."
      rows={attachments}
      cells={(file) => [
        file.filename ?? <span class="faint">without a name</span>,
        <FileType key="type" file={file} />,
        <span key="size" class="nowrap">
          {toSize(file.size_bytes)}
        </span>,
        <Remarks key="remarks" remarks={toFileRemarks(file)} />,
        <Download key="save" testId={testId} file={file} />,
      ]}
    />
  );
}

function FileType({ file }: { readonly file: Eml["attachments"][number] }): ComponentChildren {
  const { content_type: said, actual_type: actual } = file;
  if (actual === null || actual === said) return <>{said}</>;
  return (
    <>
      <del>{said}</del> {actual} <span class="label">by its bytes</span>
    </>
  );
}

function Download({ testId, file }: { readonly testId: string; readonly file: Eml["attachments"][number] }) {
  return (
    <a
      class="btn small"
      href={addressOf("/api/tests/:id/attachments/:part", { params: { id: testId, part: file.part } })}
      download
      aria-label={`Download ${file.filename ?? "the file without a name"}`}
    >
      Download
    </a>
  );
}
