// The links, images, tracking pixels and attachments of the message. URLs from the message are shown as text, to prevent
// accidental clicks.

import type { ComponentChildren } from "preact";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { addressOf } from "../client/call.ts";
import { toCount, toList, toPlural, toSize } from "../client/words.ts";
import type { Tab } from "../parts/navigation.tsx";
import { toFileRemarks, toMalwareRemarks } from "./attachment-words.ts";
import type { Eml } from "./content.tsx";
import { countDifferent, toLinkRemarks } from "./link-remarks.ts";
import { Listing, type Remark, Remarks } from "./listing.tsx";

export function toTabs({ id: testId, findings, surroundings }: TestReport, eml: Eml): readonly Tab[] {
  const { links_cut, images_cut, tracking_pixels, attachments } = eml;
  return [
    {
      name: `Links ${toLinkCount(eml)}`,
      content: () => <Links links={eml.links} cut={links_cut} findings={findings} />,
    },
    {
      name: `Images ${toCount(toImages(eml).length + images_cut)}`,
      content: () => <Images images={toImages(eml)} cut={images_cut} />,
    },
    { name: `Tracking ${toCount(tracking_pixels.length)}`, content: () => <Pixels pixels={tracking_pixels} /> },
    {
      name: `Attachments ${toCount(attachments.length)}`,
      content: () => <Attachments testId={testId} attachments={attachments} malware={surroundings?.malware} />,
    },
  ];
}

/** Links that aren't listed can't be compared, so a plus sign says that there are more. */
export function toLinkCount({ links, links_cut }: Eml): string {
  return `${toCount(countDifferent(links))}${links_cut > 0 ? "+" : ""}`;
}

/** Images that recipients see. Tracking pixels have a list of their own. */
export function toImages({ images }: Eml): Eml["images"] {
  return images.filter(({ tracking }) => tracking === null);
}

type LinksProps = { readonly links: Eml["links"]; readonly cut: number; readonly findings: TestReport["findings"] };

function Links({ links, cut, findings }: LinksProps) {
  const different = countDifferent(links);
  return (
    <>
      {different < links.length && (
        <p class="muted small p-34">
          {toPlural(different, "different link", "different links")} in {toPlural(links.length, "place", "places")}.
        </p>
      )}
      <Listing
        caption="Links"
        columns={["Link text", "Opens", "Notes"]}
        none="No links."
        rows={links}
        cut={cut}
        cells={(link) => [
          link.text.trim() ? toBreakable(link.text.trim()) : <span class="faint">No text</span>,
          <Target key="target" link={link} />,
          <Remarks key="remarks" remarks={toLinkRemarks(link, findings)} />,
        ]}
      />
    </>
  );
}

/** Lets URLs wrap between their parts. */
function toBreakable(text: string): ComponentChildren {
  return text.split(/(?<=[^/][/?&=])(?!\/)/).map((part, index) => (index === 0 ? part : [<wbr key={index} />, part]));
}

/** The host comes first, because it says where the link leads. */
function Target({ link: { href, host, text, redirector } }: { readonly link: Eml["links"][number] }) {
  return (
    <>
      {host !== null && <strong>{host}</strong>}{" "}
      {(host === null || text !== href) && <code class="small muted">{toBreakable(href)}</code>}
      {redirector !== null && redirector.target !== null && (
        <span class="leads">
          redirects to <code class="small">{toBreakable(redirector.target)}</code>
        </span>
      )}
    </>
  );
}

const kinds: Readonly<Record<Eml["images"][number]["kind"], string>> = {
  remote: "Remote",
  cid: "Attached (cid)",
  data: "Inline (data URL)",
  none: "Invalid URL",
};

function Images({ images, cut }: { readonly images: Eml["images"]; readonly cut: number }) {
  return (
    <Listing
      caption="Images"
      columns={["Image", "Alt text", "Size", "Notes"]}
      none="No images."
      rows={images}
      cut={cut}
      cells={(image) => [
        <>
          <code class="small">{image.src ? toBreakable(image.src) : "No URL"}</code>
          <span class="label leads">
            {kinds[image.kind]}
            {image.format !== null && `, ${image.format.toUpperCase()}`}
          </span>
        </>,
        image.alt === null ? (
          <span class="faint">Missing</span>
        ) : (
          image.alt || <span class="faint">Empty (decorative)</span>
        ),
        <span key="size" class="nowrap">
          {toImageSize(image)}
        </span>,
        <Remarks key="remarks" remarks={toImageRemarks(image)} />,
      ]}
    />
  );
}

function toImageSize({ width, height, bytes }: Eml["images"][number]): string {
  const shown = width !== null && height !== null ? `${toCount(width)} × ${toCount(height)}` : "unknown size";
  return bytes === null ? shown : `${shown}, ${toSize(bytes)}`;
}

function toImageRemarks({ alt, width, height, place }: Eml["images"][number]): Remark[] {
  if (place !== "img") return [{ tone: "info", text: `Loaded by ${place}.` }];
  return [
    ...(alt === null ? [{ tone: "minor" as const, text: "Screen readers can’t describe it." }] : []),
    ...(width === null || height === null ? [{ tone: "info" as const, text: "Layout shifts when it loads." }] : []),
  ];
}

function Pixels({ pixels }: { readonly pixels: Eml["tracking_pixels"] }) {
  return (
    <Listing
      caption="Tracking pixels"
      columns={["Reports to", "URL", "Why it counts as tracking"]}
      none="No tracking pixels found."
      rows={pixels}
      cells={({ src, host, service, reasons }) => [
        service ?? host ?? "Unknown",
        <code key="address" class="small muted">
          {toBreakable(src)}
        </code>,
        reasons.length === 0 ? "–" : `It ${toList(reasons)}.`,
      ]}
    />
  );
}

type FileProps = {
  readonly testId: string;
  readonly attachments: Eml["attachments"];
  readonly malware: NonNullable<TestReport["surroundings"]>["malware"] | undefined;
};

function Attachments({ testId, attachments, malware }: FileProps) {
  return (
    <Listing
      caption="Attachments"
      columns={["File", "Type", "Size", "Notes", "Download"]}
      none="No attachments."
      rows={attachments}
      cells={(file) => [
        file.filename ?? <span class="faint">No name</span>,
        <FileType key="type" file={file} />,
        <span key="size" class="nowrap">
          {toSize(file.size_bytes)}
        </span>,
        <Remarks key="remarks" remarks={[...toMalwareRemarks(malware, file.part), ...toFileRemarks(file)]} />,
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
      <del>{said}</del> {actual} <span class="label">(detected)</span>
    </>
  );
}

function Download({ testId, file }: { readonly testId: string; readonly file: Eml["attachments"][number] }) {
  return (
    <a
      class="btn small"
      href={addressOf("/api/tests/:id/attachments/:part", { params: { id: testId, part: file.part } })}
      download
      aria-label={`Download ${file.filename ?? "the unnamed file"}`}
    >
      Download
    </a>
  );
}
