// A list from a message as a table: the first rows, and all of them on request. The rows come from strangers, and there
// may be many.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toCount } from "../client/words.ts";
import { Table } from "../parts/table.tsx";
import { Severity, type Tone } from "../parts/tone.tsx";

type ListingProps<T> = {
  readonly caption: string;
  /** Column headings. */
  readonly columns: readonly string[];
  readonly rows: readonly T[];
  readonly cells: (row: T) => readonly ComponentChildren[];
  /** Number of rows that the API left out. */
  readonly cut?: number;
  /** Shown if there are no rows. */
  readonly none: string;
};

const mostRows = 12;

export function Listing<T>({ caption, columns, rows, cells, cut = 0, none }: ListingProps<T>) {
  const [isWhole, setWhole] = useState(false);
  if (rows.length === 0) return <p class="muted p-34">{none}</p>;
  const shown = isWhole ? rows : rows.slice(0, mostRows);
  return (
    <>
      <Table look="fold" label={caption} columns={columns}>
        {shown.map((row, index) => (
          <tr key={index}>
            {cells(row).map((cell, at) =>
              at === 0 ? (
                <th key={columns[at]} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={columns[at]} data-l={columns[at]}>
                  <span>{cell}</span>
                </td>
              ),
            )}
          </tr>
        ))}
      </Table>
      {shown.length < rows.length && (
        <p class="p-34">
          <button class="btn small" type="button" onClick={() => setWhole(true)}>
            Show all {toCount(rows.length)}
          </button>
        </p>
      )}
      {cut > 0 && <p class="muted small p-34">{toCount(cut)} more not shown.</p>}
    </>
  );
}

export type Remark = { readonly tone: Tone; readonly text: string };

/** One remark per line, with its severity icon. */
export function Remarks({ remarks }: { readonly remarks: readonly Remark[] }) {
  if (remarks.length === 0) return <span class="faint">–</span>;
  return (
    <span class="remarks">
      {remarks.map(({ tone, text }) => (
        <Severity key={text} tone={tone}>
          <span>{text}</span>
        </Severity>
      ))}
    </span>
  );
}
