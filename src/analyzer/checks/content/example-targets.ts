import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Image } from "../../mail/links/images.ts";
import type { Link } from "../../mail/links/links.ts";
import type { MessagePart } from "../../mail/mime/message.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { isContentPicture } from "../image-only.ts";
import { fromDomainOf } from "../party.ts";
import { finishedLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { maxRaised, shown } from "./shown.ts";

export const exampleTargets = defineCheck({
  id: "example-targets",
  helpPage: "fix-unfinished",
  label: "Example links and images",
  owner: "content",
  asks: "whether links and images are still those of an example",
  why: "An example link leads nowhere, and an image that was not filled in shows an empty box.",
  refs: ["RFC 2606"],
  needs: ["links", "message"],
  wants: ["images", "html", "kind"],
  passes: "No example links or placeholder images found.",
  findings: {
    link: {
      severity: "major",
      title: "Link to example site",
      says: 'The link "{text}" opens {host}, which stands for a site that was not filled in.',
      fix: "Link to your own page.",
    },
    image: {
      severity: "major",
      title: "Image not filled in",
      says: "The image {url} {what}.",
      fix: "Upload your own image to your email service or website, or delete it.",
    },
  },
  run({ links, message, images, html, kind }) {
    if (kind.known && kind.value.mailingList)
      return notApplicable("Mailing list posts are not made from templates and may link to examples.");
    const from = fromDomainOf(message);
    const own = from === null ? null : toRegistrableDomain(from);
    const examples = finishedLinks(links).filter((link) => isExample(link) && link.orgDomain !== own);
    // A base, or an attached image with a Content-Location, may complete an address.
    const isComplete = (html.known && html.value.active.base !== null) || hasImage(message.root);
    const unfinished = new Map<string, string>();
    for (const one of images.known ? images.value.list.filter(isContentPicture) : []) {
      if (isPlaceholder(one)) unfinished.set(one.src, "is a placeholder");
      else if (!isComplete && relative.test(one.src) && !gap.test(one.src))
        unfinished.set(one.src, "has no full address, so it can't be shown");
    }
    return [
      ...raiseEach("link", examples, ({ text, label, host }) => ({
        subject: host ?? "",
        data: { host, text: shown(text || label || "an image") },
      })),
      ...[...unfinished].slice(0, maxRaised).map(([src, what]) => {
        return { finding: "image" as const, subject: shown(src), data: { url: shown(src), what }, evidence: { src } };
      }),
    ];
  },
});

const exampleHost =
  /^(?:www\.)?example\.|(?:^|\.)(?:example\.(?:com|net|org)|your-?(?:domain|site|website|company|brand|store|shop|business|organization|link|url|app)(?:-?(?:name|here))?\.(?:com|net|org|co|io))$/;

/** A link that shows its own address is about it, as in documentation. */
function isExample({ place, visible, host, textHost }: Link): boolean {
  return place === "html" && visible && host !== null && textHost !== host && exampleHost.test(host);
}

/** Services that draw an image of any size, and the file names of editors. A placeholder for a person is meant. */
const drawer =
  /^(?:via\.|www\.)?(?:placeholder\.com|placehold\.(?:it|co|jp)|placekitten\.com|placeimg\.com|dummyimage\.com|fakeimg\.pl|lorempixel\.com|loremflickr\.com|picsum\.photos|fpoimg\.com|fillmurray\.com|placebear\.com|unsplash\.it)$/;
const placeholderFile =
  /\/(?:image[-_])?placeholder(?:[-_]?(?:image|img|logo|banner|hero|\d{2,4}\w{0,5}))?\.(?:png|jpe?g|gif|svg|webp)(?:[?#]|$)/i;

function isPlaceholder({ src, host }: Image): boolean {
  return host !== null && (drawer.test(host) || placeholderFile.test(src));
}

/** `images/logo.png`, and a file on the sender's disk. A gap is not missed. */
const relative = /^(?:file:|(?![a-z][a-z\d+.-]*:|\/\/|#)[^{}[\]<>%*$]+\.(?:png|jpe?g|gif|svg|webp)$)/i;
const gap = /(?:^|\/)(?:blank|spacer|pixel|clear|shim|trans|dot|line)[^/]*$/i;

function hasImage({ type, parts }: MessagePart): boolean {
  return type.startsWith("image/") || parts.some(hasImage);
}
