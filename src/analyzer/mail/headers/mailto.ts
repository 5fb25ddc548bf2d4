// A mailto URI of a List-Unsubscribe header (RFC 6068), as the message that it asks for. Of its header fields only Subject
// and Body count (§4): any other would let the sender write to more people in our name.

import { toStorableCut } from "../text/bounds.ts";
import { readEscapes } from "../urls/percent.ts";
import { readOwnSender } from "./own-sender.ts";

export type MailtoMessage = {
  /** In A-labels. */
  readonly address: string;
  readonly subject: string;
  readonly text: string;
};

type MailtoReading =
  | { readonly ok: true; readonly message: MailtoMessage }
  /** Completes "The mailto address …". */
  | { readonly ok: false; readonly problem: string };

/** What real lists use is a fraction of this. */
const longest = { uri: 4_000, subject: 500, text: 4_000 };

/** Without a subject some list servers ignore the message. */
const usualSubject = "unsubscribe";

/** Characters that could end a header field or hide text in it. */
const control = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]+/gu;

export function readMailto(uri: string): MailtoReading {
  if (uri.length > longest.uri || !/^mailto:/i.test(uri)) return refused("is not valid");
  const rest = uri.slice("mailto:".length);
  const mark = rest.indexOf("?");
  // RFC 6068 §5: a plus sign is a plus sign.
  const written = readEscapes(mark < 0 ? rest : rest.slice(0, mark));
  if (written === null) return refused("is not valid");
  if (written.search(control) >= 0) return refused("contains control characters");
  const reading = readOwnSender(written);
  if (!reading.ok) return refused("is not one plain email address");
  const fields = mark < 0 ? [] : rest.slice(mark + 1).split("&");
  const [subject = "", text = ""] = ["subject", "body"].map((name) => readField(fields, name));
  return {
    ok: true,
    message: {
      address: reading.sender.address,
      subject: toStorableCut(subject.replace(control, " ").trim(), longest.subject) || usualSubject,
      // A body keeps its line breaks, but nothing else that isn't text.
      text: toStorableCut(
        text
          .split(/\r\n|\r|\n/)
          .map((line) => line.replace(control, " ").trimEnd())
          .join("\n"),
        longest.text,
      ),
    },
  };
}

/** The first one of that name. */
function readField(fields: readonly string[], name: string): string {
  const found = fields.find((field) => readEscapes(field.split("=", 1)[0] ?? "")?.toLowerCase() === name);
  const equals = found?.indexOf("=") ?? -1;
  return equals < 0 ? "" : (readEscapes(found?.slice(equals + 1) ?? "") ?? "");
}

function refused(problem: string): MailtoReading {
  return { ok: false, problem };
}
