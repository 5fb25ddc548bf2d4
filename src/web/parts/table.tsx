import type { ComponentChildren } from "preact";

/** `num`: above numbers. `vh`: only for screen readers. */
type Column = string | { readonly num: string } | { readonly vh: string };

type TableProps = {
  /** CSS classes. */
  readonly look: string;
  readonly caption?: ComponentChildren;
  /** In place of the caption, for screen readers only. */
  readonly label?: string;
  readonly columns: readonly Column[];
  readonly isHeadHidden?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
};

export function Table({ look, caption, label, columns, isHeadHidden = false, children }: TableProps) {
  return (
    <table class={`table ${look}`}>
      <caption class={caption === undefined ? "vh" : undefined}>{caption ?? label}</caption>
      <thead class={isHeadHidden ? "vh" : undefined}>
        <tr>
          {columns.map((column, at) => (
            <th key={at} scope="col" class={typeof column === "object" && "num" in column ? "num" : undefined}>
              {typeof column === "string" ? column : "num" in column ? column.num : <span class="vh">{column.vh}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type NamedRowsProps = {
  readonly rows: readonly (readonly [name: string, value: string | number])[];
  readonly look?: string;
};

/** A name and its value in each row, such as the parts of a DNS record. */
export function NamedRows({ rows, look = "rec" }: NamedRowsProps) {
  return (
    <table class={look}>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
