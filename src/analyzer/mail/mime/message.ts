// The types of the fact `message`: what an email client would show of the bytes.

import type { Mailboxes } from "../headers/address.ts";
import type { MailDateReading } from "../headers/date.ts";
import type { ParameterForm } from "../headers/parameters.ts";
import type { Cut } from "../text/bounds.ts";
import type { Charset } from "../text/charsets.ts";
import type { Encoding } from "./tree.ts";

export type MessageHeader = {
  readonly name: string;
  /** Lower case. */
  readonly key: string;
  /** Decoded and unfolded. */
  readonly value: string;
};

export type FileName = {
  /** Where it was: Content-Disposition has `filename`, Content-Type has `name`. */
  readonly parameter: "filename" | "name";
  readonly form: ParameterForm;
  readonly value: string;
};

export type MessagePart = {
  /** IMAP's number, such as "1" or "2.1". A multipart that is a whole message is "0" or "2.0". */
  readonly path: string;
  /** 0 is the message itself. */
  readonly depth: number;
  /** Lower case, without parameters: as parsed, and as written. */
  readonly type: string;
  readonly typeWritten: string | null;
  /** Null for anything but text. */
  readonly charset: Charset | null;
  readonly encoding: Encoding;
  readonly encodingWritten: string | null;
  /** Lower case. */
  readonly disposition: string | null;
  /** The name that an email client shows, unmodified. */
  readonly filename: string | null;
  readonly names: readonly FileName[];
  /** Without its brackets. */
  readonly cid: string | null;
  /** Offsets in the message: of its headers, of its body, and of the end after its last byte. */
  readonly offset: number;
  readonly bodyOffset: number;
  readonly end: number;
  readonly encodedBytes: number;
  readonly decodedBytes: number;
  /** The parts of a multipart, or the message in an embedded message. */
  readonly parts: readonly MessagePart[];
};

/** One body as shown, from one part or from several that are shown one below the other. */
export type BodyText = {
  readonly parts: readonly MessagePart[];
  readonly text: string;
  /** Size of the whole, even if the text is cut. */
  readonly decodedBytes: number;
  readonly isCut: boolean;
};

export type AmpBody = {
  readonly part: MessagePart;
  /** Its `<html>` says that it is AMP for Email. */
  readonly isMarked: boolean;
};

export type HeaderDate = { readonly written: string; readonly reading: MailDateReading };

export type Message = {
  readonly headers: readonly MessageHeader[];
  /** From the first field of that name. */
  readonly from: Mailboxes;
  readonly sender: Mailboxes;
  readonly replyTo: Mailboxes;
  readonly to: Mailboxes;
  readonly cc: Mailboxes;
  readonly bcc: Mailboxes;
  /** The From header, decoded. */
  readonly fromText: string | null;
  readonly subject: string | null;
  readonly date: HeaderDate | null;
  /** As in the header. */
  readonly messageId: string | null;
  /** With angle brackets. */
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  readonly root: MessagePart;
  /** Deepest level of parts. 0 for a message without parts. */
  readonly nesting: number;
  readonly text: BodyText | null;
  readonly html: BodyText | null;
  /** The AMP form of the message (text/x-amp-html), if it has one. */
  readonly amp: AmpBody | null;
  /** The leaves of the multipart/alternative with the bodies, in order. Empty without one. */
  readonly alternatives: readonly MessagePart[];
  /** Everything except bodies and containers. Embedded messages count whole. */
  readonly attachments: readonly MessagePart[];
  /** It has neither text nor attachments. */
  readonly isEmpty: boolean;
  readonly sizeBytes: number;
  /** Content that was not read. */
  readonly cuts: readonly Cut[];
};
