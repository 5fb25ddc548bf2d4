import { toCount } from "../client/words.ts";
import type { FullFigures } from "./calibration.ts";

const predicted = [
  { name: "inbox", word: "Inbox" },
  { name: "promotions", word: "Promotions" },
  { name: "spam", word: "Spam" },
  { name: "rejected", word: "Refusal" },
] as const;

const seen = ["inbox", "promotions", "spam"] as const;

/** What was refused is seen nowhere: a predicted refusal came true where the message was in spam. */
const cameTrue = { inbox: "inbox", promotions: "promotions", spam: "spam", rejected: "spam" } as const;

export function Counts({ confusion }: { readonly confusion: FullFigures["confusion"] }) {
  return (
    <details>
      <summary>Each folder, predicted and seen</summary>
      <table class="table bare counts">
        <caption>Marked is what came true.</caption>
        <thead>
          <tr>
            <th scope="col">Predicted</th>
            <th scope="col" class="num">
              Seen in the inbox
            </th>
            <th scope="col" class="num">
              under Promotions
            </th>
            <th scope="col" class="num">
              in spam
            </th>
          </tr>
        </thead>
        <tbody>
          {predicted.map(({ name, word }) => (
            <tr key={name}>
              <th scope="row">{word}</th>
              {seen.map((folder) => (
                <td key={folder} class="num">
                  {cameTrue[name] === folder ? (
                    <mark>{toCount(confusion[name][folder])}</mark>
                  ) : (
                    toCount(confusion[name][folder])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
