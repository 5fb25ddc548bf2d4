import type { ComponentChildren } from "preact";

type ActionTableProps = {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Rows, whose last cell holds what can be done with each. */
  readonly children: ComponentChildren;
};

/** Things with a few words each and something that can be done with them; on a phone each row is a block. */
export function ActionTable({ caption, columns, children }: ActionTableProps) {
  return (
    <div class="card flush">
      <table class="table fold mid">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span class="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
