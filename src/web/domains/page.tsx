import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function DomainsPage() {
  useTitle("Domains");
  useArrival(true);
  return <PageHeading title="Domains" />;
}
