// Why two readers differ. `message`: the message can be read in two ways, which is an issue. `choice`: the standards
// leave it open, and no one can be misled by it. `library`: mailparser or mailauth departs from the standard.
// `unknown`: no reason that we know.

type Cause = {
  readonly blame: "message" | "choice" | "library" | "unknown";
  /** A sentence for the reader of the report. */
  readonly says: string;
};

export const secondReadingCauses = {
  "several-from": { blame: "message", says: "The message has more than one From field." },
  "from-syntax": { blame: "message", says: "The From field isn't a valid list of addresses." },
  "several-fields": { blame: "message", says: "The field is there more than once." },
  "header-lines": {
    blame: "message",
    says: "The headers contain a line that isn't a field, so readers disagree where they end.",
  },
  "part-structure": {
    blame: "message",
    says: "The boundaries between the parts are wrong, so readers separate the parts differently.",
  },
  "part-type": { blame: "message", says: "The Content-Type of a part can't be read." },
  "part-fields": { blame: "message", says: "A part has the same field more than once." },
  "part-encoding": { blame: "message", says: "A part has an unknown or misplaced Content-Transfer-Encoding." },
  "damaged-encoding": {
    blame: "message",
    says: "The encoding of a part is damaged, so readers decode it differently.",
  },
  "two-names": { blame: "message", says: "The part has more than one name." },
  "unusual-disposition": {
    blame: "message",
    says: "A part is neither inline nor an attachment, so some readers show it and others make it a file.",
  },
  "several-bodies": {
    blame: "message",
    says: "There are several parts that a reader may show as the body, and readers choose differently.",
  },
  "control-characters": {
    blame: "message",
    says: "The message contains NUL bytes or line ends that aren't CR LF, which readers treat differently.",
  },
  "one-sided": { blame: "message", says: "One implementation accepts it and the other doesn't." },
  "eight-bit": {
    blame: "choice",
    says: "There are 8-bit characters without a charset that fits them. Readers guess, or show a replacement.",
  },
  charset: { blame: "choice", says: "The charset is wrong or unknown, so readers guess." },
  "date-form": {
    blame: "choice",
    says: "The date isn't in the form of RFC 5322. Lenient readers guess what it means.",
  },
  flowed: { blame: "choice", says: "The text is format=flowed, and the library joins its lines (RFC 3676)." },
  "split-character": {
    blame: "library",
    says: "mailparser decodes each encoded word on its own, so a character that is split between two is lost.",
  },
  "too-many-parts": { blame: "library", says: "mailparser refuses messages with more than 1,000 parts." },
  "other-body": {
    blame: "choice",
    says: "The part is text in a form that few email clients show, such as text/enriched. Some make it a file.",
  },
  "guessed-type": {
    blame: "library",
    says: "mailparser takes an attachment without a Content-Type for application/octet-stream instead of text/plain.",
  },
  cut: { blame: "choice", says: "Our reader reads only the beginning of very long content." },
  "result-word": {
    blame: "library",
    says: "Both refuse it. They only use different words for the reason (RFC 8601 allows several).",
  },
  "signature-limit": { blame: "choice", says: "Our reader evaluates the first 20 signatures only." },
  sha1: { blame: "library", says: "A lenient verifier still accepts rsa-sha1, which RFC 8301 forbids." },
  lenient: {
    blame: "library",
    says: "A verifier in lenient mode accepts what the standard rejects, as some receivers do.",
  },
  "no-author-domain": {
    blame: "choice",
    says: "Without exactly one author domain, DMARC can't be evaluated. The readers only report that differently.",
  },
  "arc-tags": {
    blame: "library",
    says: "mailauth refuses an ARC-Message-Signature without c= or with an empty h=, which the public ARC tests accept.",
  },
  follows: { blame: "library", says: "It follows from the difference above." },
  unknown: { blame: "unknown", says: "We don't know a reason. Other receivers may also see it differently." },
} as const satisfies Readonly<Record<string, Cause>>;

export type CauseId = keyof typeof secondReadingCauses;

export function blameOf(cause: CauseId): Cause["blame"] {
  return secondReadingCauses[cause].blame;
}
