import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function AlertPage() {
  useTitle("Alert");
  useArrival(true);
  return <PageHeading title="Alert" />;
}
