// The `from` of a message that Assay sends, as a person writes it: an address, or a name with an address in angle
// brackets. Parsed strictly, because the author must be unambiguous. A local part outside ASCII (EAI) is refused: our
// return path is ASCII, so nothing in the envelope asks the relay for SMTPUTF8, and most relays don't offer it.

import { parseMailboxes } from "./address.ts";
import { toAsciiDomain } from "./registrable-domain.ts";

export type OwnSender = {
  readonly name: string | null;
  /** Without unnecessary quotes. */
  readonly local: string;
  /** In A-labels and lower case. */
  readonly domain: string;
  /** As it is written in the message. */
  readonly address: string;
};

type SenderReading =
  | { readonly ok: true; readonly sender: OwnSender }
  /** Completes `"from" …`. */
  | { readonly ok: false; readonly problem: string };

/** RFC 5321 §4.5.3.1.1, .3. */
const longestLocal = 64;
const longestAddress = 254;
const dotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const quotedOrComment = /"(?:[^"\\]|\\.)*"?|\([^()]*\)/g;
/** Quoted local parts are limited to characters that all software reads alike. */
const quotable = /^[ !#-;=?-[\]-~]+$/;

/** `text` must have passed whyNoHeaderText. */
export function readOwnSender(text: string): SenderReading {
  const { list, count, groups } = parseMailboxes(text);
  const [mailbox] = list;
  if (count !== 1 || groups.length > 0 || mailbox === undefined || !hasPlainBrackets(text))
    return refused("must be one address, like ann@example.com or Ann <ann@example.com>");
  const { name, local: written, domain: writtenDomain, problem } = mailbox;
  if (written === null || writtenDomain === null || problem !== null)
    return refused("must be an email address like ann@example.com");
  const domain = toAsciiDomain(writtenDomain.replace(/\.$/, ""));
  if (domain === null) return refused("must end in a valid domain name");
  const local = unquote(written);
  if (/[^\0-\x7f]/.test(local))
    return refused("must have only ASCII characters before the @, because few relays accept others");
  if (local.length > longestLocal || local.length + domain.length >= longestAddress)
    return refused("is too long for an email address");
  if (dotAtom.test(local)) return accepted({ name, local, domain, address: `${local}@${domain}` });
  if (!quotable.test(local)) return refused("has a character before the @ that mailbox names cannot contain");
  return accepted({ name, local, domain, address: `"${local}"@${domain}` });
}

/** No brackets, or one pair with nothing after it. With two addresses, parsers disagree which one counts. */
function hasPlainBrackets(text: string): boolean {
  const bare = text.replace(quotedOrComment, "");
  return !/[<>]/.test(bare) || /^[^<>]*<[^<>]*>\s*$/.test(bare);
}

function unquote(local: string): string {
  return local.startsWith('"') ? local.slice(1, -1).replace(/\\(.)/g, "$1") : local;
}

function accepted(sender: OwnSender): SenderReading {
  return { ok: true, sender };
}

function refused(problem: string): SenderReading {
  return { ok: false, problem };
}
