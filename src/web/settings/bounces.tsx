import type { Bounce } from "../../api/bounces.ts";
import { addressOf, call } from "../client/call.ts";
import { toShortTime } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { Severity } from "../parts/tone.tsx";
import { ArrivalList } from "./arrival-list.tsx";
import { RawDownload } from "./raw-download.tsx";

type Recipient = Bounce["recipients"][number];

const reasons: Readonly<Record<Recipient["class"], string>> = {
  user_unknown: "There is no such mailbox",
  host_unknown: "There is no such domain or server",
  mailbox_full: "The mailbox is full",
  disabled: "The mailbox is closed",
  too_big: "The message is too big",
  policy: "A rule of the receiver’s refuses it",
  authentication: "SPF, DKIM or DMARC did not satisfy the receiver",
  reputation: "The sender’s reputation is too bad",
  content: "The content was taken for spam or malware",
  rate: "Too much was sent at once",
  system: "The receiver’s server had trouble",
  expired: "It was tried for too long",
  unknown: "The reason is not clear",
};

export function BounceTable() {
  return (
    <ArrivalList
      title="Bounces and complaints"
      lead="A bounce is a mail server’s word that it could not deliver. A complaint tells that a reader marked a message as spam."
      name="bounces"
      read={(given) => call("GET /api/bounces", given)}
      empty="None has come. Those about samples of yours appear here by themselves."
      columns={["Received", "Kind", "What it says", "Told by"]}
      row={(bounce) => <BounceRow key={bounce.id} bounce={bounce} />}
    />
  );
}

function BounceRow({ bounce }: { readonly bounce: Bounce }) {
  const { id, kind, receivedAt, reportingMta, recipients, feedbackType, testId } = bounce;
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="Kind">
        {kind === "bounce" ? (
          <BounceKind recipients={recipients} />
        ) : (
          <Severity tone="major">Complaint{feedbackType !== null && `: ${feedbackType}`}</Severity>
        )}
      </td>
      <td data-l="What it says">
        <span>
          {recipients.length === 0 && <span class="faint">It names nobody</span>}
          {recipients.slice(0, 3).map((recipient, index) => (
            <Told key={index} recipient={recipient} isBounce={kind === "bounce"} />
          ))}
          {recipients.length > 3 && <span class="settings-sub">and {recipients.length - 3} more</span>}
          {testId !== null && <a href={`/tests/${testId}`}>The test it is about</a>}
        </span>
      </td>
      <td data-l="Told by">{reportingMta ?? <span class="faint">nobody named</span>}</td>
      <RawDownload
        address={addressOf("/api/bounces/:id/raw", { params: { id } })}
        what={`the ${kind} of ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

/** As bad as it is for the worst off. */
function BounceKind({ recipients }: Pick<Bounce, "recipients">) {
  if (recipients.length === 0) return <Severity tone="unknown">Bounce</Severity>;
  const isHard = recipients.some(({ hard }) => hard);
  return (
    <Severity tone={isHard ? "major" : "minor"}>{isHard ? "Bounce, for good" : "Bounce, for now"}</Severity>
  );
}

function Told({ recipient, isBounce }: { readonly recipient: Recipient; readonly isBounce: boolean }) {
  const { address, advice, diagnostic, status } = recipient;
  return (
    <span class="settings-told">
      <code>{address ?? "an address that is hidden"}</code>
      {isBounce && <span>{reasons[recipient.class]}</span>}
      <span>{advice}</span>
      {(diagnostic ?? status) !== null && <q class="settings-sub">{diagnostic ?? status}</q>}
    </span>
  );
}
