// Reads the code of a receiver's reply in a text that someone pasted or that a bounce quotes. The web app reads it too, so
// the explanations of the codes are elsewhere (reply-codes.ts).

/** RFC 3463. An IP address or a version number in the text isn't a status. */
export function readStatus(text: string): string | null {
  const afterReply = /\b[45]\d\d[ -][#(]{0,2}([45]\.[0-7]\.\d{1,3})(?![\d.]\d)/.exec(text);
  const marked = /(?:#|status: ?|\(|\[|: |; |^)([45]\.[0-7]\.\d{1,3})(?=$|[\s\])>;:,-]|\.(?:\s|$))/.exec(text);
  return afterReply?.[1] ?? marked?.[1] ?? null;
}

/** RFC 5321 §4.2: only a code at the beginning of a reply counts, not any number. */
export function readReply(text: string): string | null {
  return (
    /(?:^|said: ?|[:;<>'"(\]] ?|smtp;? ?|reply ?|error ?|code ?:?|response ?|status ?:? ?|with )([45][0-7]\d)(?=[ \-:#"')]|$)/.exec(
      text,
    )?.[1] ?? null
  );
}

/** Names that receivers give their own replies, such as "[TSS04]", "(S3150)" and "SC-001". DKIM selectors look like S3150. */
const ownName = /(?:^|[([])s\d{3,5}(?=$|[)\]])|\b(?:(?:sc|ou|dy)-\d{3}|tss?\d\d|bl\d\d|hm(?:e1|08)|cs0\d)\b/;

const receivers: readonly (readonly [string, RegExp])[] = [
  ["spamhaus", /spamhaus/],
  ["gmail", /gsmtp|gmail|google/],
  ["microsoft", /outlook|hotmail|office365|microsoft|exchange/],
  ["yahoo", /yahoo/],
  ["icloud", /icloud|apple\.com|\bme\.com/],
];

const replyBefore = /\b([45][0-7]\d)[ -][#(]{0,2}$/;
const replyLength = 7;

const longestText = 20_000;
/** How much text around the code may name the receiver. The rest of a bounce names others, too. */
const nearby = 250;

/** An address, or the domain that a rule is about, isn't who replied. */
const others = /[^ ]{0,80}@[^ ]*|\b(?:of|for) [^ ]+\.[^ ]+/g;

/** The code and who sent it, as one segment of a path: "550+5.7.1+s3150+microsoft". Null if the text has none. */
export function readReplyCode(given: string): string | null {
  const text = given.slice(0, longestText).toLowerCase().replace(/\s+/g, " ").trim();
  // Without a mark, x.0.x is more likely a version.
  const status = readStatus(text) ?? /(?<![\d.])[45]\.[1-7]\.\d{1,3}(?![\d.]*\d)/.exec(text)?.[0];
  const name = ownName.exec(text)?.[0].replace(/^[([]/, "");
  const at = text.indexOf(status ?? name ?? "");
  const reply = status
    ? replyBefore.exec(text.slice(0, at).slice(-replyLength))?.[1]
    : /^[45][0-7]\d\b/.exec(text)?.[0];
  if (!status && !name && !reply) return null;
  const around = text.slice(Math.max(0, at - nearby), at + nearby).replace(others, "");
  const by = receivers.find(([, words]) => words.test(around))?.[0];
  return [reply, status, name, by].filter((part) => part).join("+");
}
