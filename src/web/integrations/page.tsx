import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function IntegrationsPage() {
  useTitle("Integrations");
  useArrival(true);
  return <PageHeading title="Integrations" />;
}
