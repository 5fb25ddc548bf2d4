import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function LaboratoryPage() {
  useTitle("Laboratory");
  useArrival(true);
  return <PageHeading title="Laboratory" />;
}
