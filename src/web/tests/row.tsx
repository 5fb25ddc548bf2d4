import { toPercent, toPreciseMoment, toShortTime, toSize } from "../client/words.ts";
import { Score } from "../parts/score.tsx";
import { ShareRects, toShares } from "../parts/share-bar.tsx";
import { Severity, type Tone } from "../parts/tone.tsx";
import type { TestRow } from "./list.ts";

type RowProps = {
  readonly test: TestRow;
  readonly isSelected: boolean;
  readonly isNew: boolean;
  readonly onSelect: (id: string) => void;
};

export function Row({ test, isSelected, isNew, onSelect }: RowProps) {
  const { id, subject, label, received_at, status, composite, coverage } = test;
  const isUnfinished = status === "received" || status === "analyzing";
  // Its subject is read with all the rest of it.
  const title = subject?.trim() || (isUnfinished ? "A new message" : "No subject");
  return (
    <tr class={isUnfinished || isNew ? "arriving" : undefined} data-test={id}>
      <td class="nb">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={() => onSelect(id)}
        />
      </td>
      <th scope="row">
        <a class="subject" href={`/tests/${id}`}>
          {title}
        </a>
        <span class="label">
          {test.sample && <span class="tag">Sample</span>}{" "}
          {isUnfinished ? toSize(test.size_bytes) : toSender(test)}
        </span>
      </th>
      <td data-l="Label">
        {label === null ? <span class="faint">–</span> : <span class="tag">{label}</span>}
      </td>
      {isUnfinished ? (
        <td data-l="Sender" colSpan={3}>
          <span class="live">{status === "received" ? "Waiting to be analysed" : "Being analysed"}</span>
        </td>
      ) : status === "failed" ? (
        <td data-l="Sender" colSpan={3}>
          <Severity tone="critical">The analysis failed</Severity>
        </td>
      ) : (
        <>
          <td data-l="Sender">
            <Proof test={test} />
          </td>
          <td data-l="Placement" class="pl">
            <Rates test={test} />
          </td>
          <td data-l="Score" class="num">
            <Score score={composite} coverage={coverage} />
          </td>
        </>
      )}
      <td data-l="Received" class="num nowrap">
        <time dateTime={received_at} title={toPreciseMoment(received_at)}>
          {toShortTime(received_at)}
        </time>
      </td>
    </tr>
  );
}

function toSender({ from, size_bytes }: TestRow): string {
  return `${from?.trim() || "No sender"} · ${toSize(size_bytes)}`;
}

/** Whether the domain in From is proven. */
function Proof({ test: { spf, dkim, dmarc } }: { readonly test: TestRow }) {
  const words = `SPF ${spf ?? "not known"}, DKIM ${dkim ?? "not known"}, DMARC ${dmarc ?? "not known"}`;
  const { tone, said } = toProof({ spf, dkim, dmarc });
  return (
    <span title={words}>
      <Severity tone={tone}>{said}</Severity>
    </span>
  );
}

function toProof({ spf, dkim, dmarc }: Pick<TestRow, "spf" | "dkim" | "dmarc">): {
  readonly tone: Tone;
  readonly said: string;
} {
  if (dmarc === "pass") return { tone: "good", said: "Proven" };
  if (dmarc === "fail") return { tone: "critical", said: "Unproven" };
  if (dkim === "pass") return { tone: "minor", said: spf === "pass" ? "No DMARC" : "DKIM only" };
  if (spf === "pass") return { tone: "minor", said: "SPF only" };
  if (dmarc === null && spf === null && dkim === null) return { tone: "unknown", said: "Not known" };
  if (spf === null && dkim === null) return { tone: "unknown", said: "Not known" };
  return { tone: "major", said: "Unproven" };
}

const kinds = [
  { rate: "inbox_rate", word: "inbox", fill: null, className: "f-inbox" },
  { rate: "promo_rate", word: "promotions", fill: "url(#h-promo)", className: undefined },
  { rate: "spam_rate", word: "spam", fill: "url(#h-spam)", className: undefined },
] as const;

function Rates({ test }: { readonly test: TestRow }) {
  if (test.inbox_rate === null) return <span class="faint">–</span>;
  const shares = toShares(
    kinds,
    ({ rate }) => test[rate] ?? 0,
    (share) => share > 0,
  );
  return (
    <span class="mini">
      <svg role="img" aria-label={shares.map(({ word, share }) => `${word} ${toPercent(share)}`).join(", ")}>
        <ShareRects shares={shares} />
      </svg>
    </span>
  );
}
