import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function DomainPage() {
  useTitle("Domain");
  useArrival(true);
  return <PageHeading title="Domain" />;
}
