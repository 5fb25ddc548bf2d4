import { inArea } from "../check.ts";
import { arcChain } from "./arc-chain.ts";
import { bimiCertificate } from "./bimi-certificate.ts";
import { bimiLogo } from "./bimi-logo.ts";
import { bimiRecord } from "./bimi-record.ts";
import { dkimAlgorithm } from "./dkim-algorithm.ts";
import { dkimAlignment } from "./dkim-alignment.ts";
import { dkimBodyLength } from "./dkim-body-length.ts";
import { dkimCanonicalization } from "./dkim-canonicalization.ts";
import { dkimExtraSignature } from "./dkim-extra-signature.ts";
import { dkimIdentity } from "./dkim-identity.ts";
import { dkimKey } from "./dkim-key.ts";
import { dkimKeyStrength } from "./dkim-key-strength.ts";
import { dkimPresent } from "./dkim-present.ts";
import { dkimSelectors } from "./dkim-selectors.ts";
import { dkimSignature } from "./dkim-signature.ts";
import { dkimSignedHeaders } from "./dkim-signed-headers.ts";
import { dkimTesting } from "./dkim-testing.ts";
import { dkimTimes } from "./dkim-times.ts";
import { dmarcObsolete } from "./dmarc-obsolete.ts";
import { dmarcPolicy } from "./dmarc-policy.ts";
import { dmarcPsd } from "./dmarc-psd.ts";
import { dmarcRecord } from "./dmarc-record.ts";
import { dmarcReports } from "./dmarc-reports.ts";
import { dmarcResult } from "./dmarc-result.ts";
import { dmarcSubdomains } from "./dmarc-subdomains.ts";
import { dmarcSyntax } from "./dmarc-syntax.ts";
import { spfAlignment } from "./spf-alignment.ts";
import { spfDeprecated } from "./spf-deprecated.ts";
import { spfEnd } from "./spf-end.ts";
import { spfHelo } from "./spf-helo.ts";
import { spfIncludes } from "./spf-includes.ts";
import { spfLookups } from "./spf-lookups.ts";
import { spfOpenness } from "./spf-openness.ts";
import { spfRecord } from "./spf-record.ts";
import { spfResult } from "./spf-result.ts";
import { spfSize } from "./spf-size.ts";
import { spfSyntax } from "./spf-syntax.ts";
import { spfVoidLookups } from "./spf-void-lookups.ts";

export const authenticationChecks = inArea("authentication", [
  spfRecord,
  spfSyntax,
  spfLookups,
  spfVoidLookups,
  spfIncludes,
  spfOpenness,
  spfEnd,
  spfDeprecated,
  spfSize,
  spfResult,
  spfAlignment,
  spfHelo,
  dkimPresent,
  dkimSignature,
  dkimKey,
  dkimKeyStrength,
  dkimAlgorithm,
  dkimBodyLength,
  dkimSignedHeaders,
  dkimIdentity,
  dkimTimes,
  dkimTesting,
  dkimAlignment,
  dkimExtraSignature,
  dkimCanonicalization,
  dkimSelectors,
  dmarcRecord,
  dmarcSyntax,
  dmarcPolicy,
  dmarcSubdomains,
  dmarcObsolete,
  dmarcReports,
  dmarcPsd,
  dmarcResult,
  arcChain,
  bimiRecord,
  bimiLogo,
  bimiCertificate,
]);
