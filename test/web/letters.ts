// Messages for the web app's tests.

const lines = (text: string) => Buffer.from(text.replace(/\r?\n/g, "\r\n"));

/** Of the letter with this subject: no two letters of a test are taken for one. */
export function messageIdOf(subject: string): string {
  return `${subject.toLowerCase().replace(/[^a-z0-9]+/g, "-")}@sender.example`;
}

export function aLetter(subject: string, body = "Hello."): Uint8Array {
  return lines(`From: Ann <ann@sender.example>
To: anyone@seed.example
Subject: ${subject}
Date: Sat, 21 Nov 2026 05:59:58 +0000
Message-ID: <${messageIdOf(subject)}>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

${body}
`);
}

/** Refused by every large provider, and hostile besides. */
export const brokenLetter = lines(`Received: from app01.quillworks.example (app01.quillworks.example [10.2.3.4])
	by out.sendgate.example (Postfix) with ESMTPS id ABC123
	for <anyone@seed.example>; Sat, 21 Nov 2026 05:59:59 +0000
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=quillworks.example; s=q1;
	h=from:to:subject; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA
From: "Quillworks <img src=x onerror=alert(1)>" <billing@quillworks.example>
To: anyone@seed.example
Subject: Invoice <script>alert(1)</script> 20418
Date: Sat, 21 Nov 2026 05:59:58 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: text/html; charset=utf-8

<html><body onload="alert(2)"><h1>Invoice</h1>
<p>Pay <a href="https://tiny.example/q8">https://pay.quillworks.example</a>
or <a href="javascript:alert(3)">here</a></p>
<img src="https://o.track.example/p.gif" width=1 height=1>
<img src="https://cdn.quillworks.example/banner.png" width=600 onerror="alert(4)">
<form action="https://evil.example/"><input name=a><button>Go</button></form>
<script>alert(5)</script><iframe src="https://evil.example/"></iframe></body></html>
--outer
Content-Type: application/pdf
Content-Disposition: attachment; filename="<b onmouseover=alert(6)>.pdf"

%PDF-1.4
--outer--
`);

/** Fourteen issues, most of them small. */
export const untidyLetter = lines(`From: "Shop" <news@badshop.example>
To: anyone@seed.example
Date: Sat, 21 Nov 2026 05:59:58 +0000
Message-ID: <1@badshop.example>
Subject: Our November news
MIME-Version: 1.0
List-Unsubscribe: <http://badshop.example/u>
Content-Type: text/html; charset=utf-8

<html><body bgcolor=white><img src="http://badshop.example/x.png" width=900>
<p style="color:#ccc;background:#fff;font-size:8px">Dear reader, this is our news of November with many things that you may like, from coats to lamps.</p>
<p><a href="http://bit.ly/abc">Click here</a> or <a href="#">there</a> and <a href="http://badshop.example/u">unsubscribe</a></p>
<form action="http://badshop.example/f"><input name=a></form><div style="position:absolute">x</div></body></html>
`);

export const brokenZone = {
  "quillworks.example": { MX: [{ preference: 10, exchange: "mx.quillworks.example" }], A: ["192.0.2.80"] },
  "mx.quillworks.example": { A: ["192.0.2.25"] },
  // It ties the message to the domain, so it is broken mail and not a forgery.
  "q1._domainkey.quillworks.example": { TXT: ["v=DKIM1; k=rsa; p=AAAA"] },
  "_dmarc.quillworks.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@quillworks.example"] },
} as const;
