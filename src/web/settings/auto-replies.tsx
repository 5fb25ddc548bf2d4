import type { AutoReply } from "../../api/auto-replies.ts";
import { toShortTime } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { ArrivalList } from "./arrival-list.tsx";
import { RawDownload } from "./raw-download.tsx";

export function AutoReplyTable() {
  return (
    <ArrivalList<AutoReply>
      title="Automatic replies"
      lead="Out-of-office notes and read receipts. They are counted as nothing else."
      name="replies"
      path="/api/auto-replies"
      empty="None has come."
      columns={["Received", "From", "Subject", "To"]}
      row={(reply) => <ReplyRow key={reply.id} reply={reply} />}
    />
  );
}

function ReplyRow({ reply: { id, receivedAt, from, subject, to } }: { readonly reply: AutoReply }) {
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="From">{from ?? <span class="faint">nobody</span>}</td>
      <td data-l="Subject">{subject?.trim() || <span class="faint">No subject</span>}</td>
      <td data-l="To">{to.join(", ")}</td>
      <RawDownload path={`/api/auto-replies/${id}/raw`} what={`the reply of ${toShortTime(receivedAt)}`} />
    </tr>
  );
}
