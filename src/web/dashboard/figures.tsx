import type { DashboardSummary } from "../../api/dashboard.ts";
import { Icon } from "../parts/icon.tsx";
import { toFigures } from "./week-figures.ts";

export function Figures({ summary }: { readonly summary: DashboardSummary }) {
  return (
    <dl class="kpis">
      {toFigures(summary).map(({ name, value, change }) => (
        <div key={name} class="kpi">
          <dt class="label">{name}</dt>
          <dd class="v">{value}</dd>
          <dd class={`d ${change.tone ?? ""}`}>
            {change.icon !== null && <Icon name={change.icon} />}
            {change.words}
          </dd>
        </div>
      ))}
    </dl>
  );
}
