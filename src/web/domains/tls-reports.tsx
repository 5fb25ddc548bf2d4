import type { DomainSources } from "../../api/domain-sources.ts";
import { toCount, toList, toPercent, toPlural } from "../client/words.ts";

/** Whether others could encrypt what they sent to the domain. */
export function TlsReports({ tls }: { readonly tls: DomainSources["tls"] }) {
  const { reports, sessions, failed, failures } = tls;
  return (
    <div class="card flush">
      <h3 class="pad">
        {failed === 0
          ? sessions === 0
            ? "No session was counted"
            : "All sessions to the domain were encrypted"
          : `${toCount(failed)} of ${toPlural(sessions, "session", "sessions")} to the domain failed to encrypt`}
      </h3>
      <p class="small muted pad-s">
        From {toPlural(reports, "TLS report", "TLS reports")}
        {sessions > 0 && `: ${toPercent((sessions - failed) / sessions)} succeeded`}.
      </p>
      {failures.length > 0 && (
        <table class="table fold">
          <caption class="vh">Why sessions failed</caption>
          <thead>
            <tr>
              <th scope="col">Why</th>
              <th scope="col">Host</th>
              <th scope="col">Reported by</th>
              <th scope="col" class="num">
                Sessions
              </th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ resultType, mxHost, organizations, sessions: count }) => (
              <tr key={`${resultType} ${mxHost}`}>
                <th scope="row">
                  {resultType === null ? "Several small reasons" : resultType.replaceAll("-", " ")}
                </th>
                <td data-l="Host">
                  <span>{mxHost ?? "–"}</span>
                </td>
                <td data-l="Reported by">
                  <span>{toList(organizations)}</span>
                </td>
                <td data-l="Sessions" class="num">
                  <span>{toCount(count)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
