// What a message is: the types of the fact `message`, what a mail program would show of the bytes.

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
  /** Where it stood: Content-Disposition has `filename`, Content-Type has `name`. */
  readonly parameter: "filename" | "name";
  readonly form: ParameterForm;
  readonly value: string;
};

export type MessagePart = {
  /** IMAP's number, like "1" or "2.1"; "0" or "2.0" is a multipart that is itself a whole message. */
  readonly path: string;
  /** 0: the message itself. */
  readonly depth: number;
  /** Lower case, without parameters: as read, and as written. */
  readonly type: string;
  readonly typeWritten: string | null;
  /** Of a text; null of all else. */
  readonly charset: Charset | null;
  readonly encoding: Encoding;
  readonly encodingWritten: string | null;
  /** Lower case. */
  readonly disposition: string | null;
  /** The name that a mail program shows; whatever stands in it is left in it. */
  readonly filename: string | null;
  readonly names: readonly FileName[];
  /** Without its brackets. */
  readonly cid: string | null;
  /** Offsets in the message: of its header section, of its body, and behind its last byte. */
  readonly offset: number;
  readonly bodyOffset: number;
  readonly end: number;
  readonly encodedBytes: number;
  readonly decodedBytes: number;
  /** Of a multipart its parts, of an embedded message that message. */
  readonly parts: readonly MessagePart[];
};

/** One body as it is read, of one part or of several that are shown below one another. */
export type BodyText = {
  readonly parts: readonly MessagePart[];
  readonly text: string;
  /** Of the whole, also where the text is cut. */
  readonly decodedBytes: number;
  readonly isCut: boolean;
};

export type AmpBody = {
  readonly part: MessagePart;
  /** Its `<html>` says that it is AMP for e-mail. */
  readonly isMarked: boolean;
};

export type HeaderDate = { readonly written: string; readonly reading: MailDateReading };

export type Message = {
  readonly headers: readonly MessageHeader[];
  /** Of the first field of that name. */
  readonly from: Mailboxes;
  readonly sender: Mailboxes;
  readonly replyTo: Mailboxes;
  readonly to: Mailboxes;
  readonly cc: Mailboxes;
  readonly bcc: Mailboxes;
  /** The From header as a person reads it. */
  readonly fromText: string | null;
  readonly subject: string | null;
  readonly date: HeaderDate | null;
  /** As in the header. */
  readonly messageId: string | null;
  /** With their brackets. */
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  readonly root: MessagePart;
  /** Deepest level of parts; 0: the message has one. */
  readonly nesting: number;
  readonly text: BodyText | null;
  readonly html: BodyText | null;
  /** The AMP form of the message (text/x-amp-html), if it has one. */
  readonly amp: AmpBody | null;
  /** The leaves of the multipart/alternative that holds the bodies, in their order; none without one. */
  readonly alternatives: readonly MessagePart[];
  /** What is neither body nor container, embedded messages whole. */
  readonly attachments: readonly MessagePart[];
  /** Neither text nor attachment. */
  readonly isEmpty: boolean;
  readonly sizeBytes: number;
  /** What is there but was not read. */
  readonly cuts: readonly Cut[];
};
