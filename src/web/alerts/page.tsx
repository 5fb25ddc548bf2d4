import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function AlertsPage() {
  useTitle("Alerts");
  useArrival(true);
  return <PageHeading title="Alerts" />;
}
