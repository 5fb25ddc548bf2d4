// A newsletter with something of everything that a report shows of a message's inside.

const lines = (text: string) => Buffer.from(text.replace(/\r?\n/g, "\r\n"));

const signed = "b=".padEnd(420, "Qk2Vx9");

export const richLetter = lines(`Received: from out.harbourpine.example (out.harbourpine.example [192.0.2.80])
	by relay.listmill.example (Postfix) with ESMTPS id 4XYZ12
	(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits))
	for <anyone@seed.example>; Sat, 21 Nov 2026 05:59:50 +0000
Received: from app01 (app01.harbourpine.example [10.2.3.4])
	by out.harbourpine.example (Postfix) with ESMTP id 7ABC99
	for <anyone@seed.example>; Sat, 21 Nov 2026 05:59:20 +0000
ARC-Seal: i=1; a=rsa-sha256; t=1795240760; cv=none; d=listmill.example; s=arc; ${signed}
ARC-Message-Signature: i=1; a=rsa-sha256; c=relaxed/relaxed; d=listmill.example; s=arc;
	h=from:to:subject; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; ${signed}
ARC-Authentication-Results: i=1; listmill.example; spf=pass smtp.mailfrom=harbourpine.example
Authentication-Results: listmill.example; spf=pass smtp.mailfrom=harbourpine.example; dkim=none
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=harbourpine.example; s=s1;
	h=from:to:subject; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; ${signed}
From: "Harbour & Pine" <hello@harbourpine.example>
To: anyone@seed.example
Subject: =?utf-8?Q?The_autumn_walking_list_=E2=80=93_and_20_=25_off?=
Date: Sat, 21 Nov 2026 05:59:10 +0000
Message-ID: <autumn-walking@harbourpine.example>
List-Unsubscribe: <https://harbourpine.example/u/8841>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8

THE AUTUMN WALKING LIST

Six routes under two hours, checked this month, with the gear we wore.

Read the six routes: https://click.listmill.example/c/77b1
--inner
Content-Type: text/html; charset=utf-8

<!doctype html><html><head><style>.c{border-radius:6px;box-shadow:0 1px 4px #999}.r{display:flex;gap:14px}
h1{text-shadow:0 1px 0 #fff}.v{color:var(--x)}</style></head>
<body style="margin:0;background:#f4f1ea;color:#22302b;font:16px/1.5 Georgia,serif">
<h1>The autumn walking list</h1><h3>Six routes</h3>
<p style="color:#cfcabd">Six routes under two hours, checked this month, with the gear we wore. Members take 20 % off until Sunday.</p>
<img src="https://cdn.harbourpine.example/hero.jpg" width="560" height="220">
<img src="https://cdn.harbourpine.example/jacket.avif" width="180" height="130" alt="Northgate jacket">
<img src="cid:map@harbourpine" alt="">
<div class="r"><div class="c"><b>Northgate jacket</b></div><div class="c">Tested through three wet weekends.</div></div>
<p><a href="https://harbourpine.example/routes">Read the six routes</a>
<a href="https://www.google.com/url?q=https://harbourpine.example/sale">See the sale</a>
<a href="https://evil.example/login">https://bank.example/login</a> <a href="https://harbourpine.example/more">here</a>
<a href="https://bit.ly/3xyz">Map</a></p>
<p class="v">You receive this because you joined our list. <a href="https://harbourpine.example/u/8841">Unsubscribe</a></p>
<img src="https://u1.ct.sendgrid.net/wf/open?upn=u001.abc" width="1" height="1" alt=""></body></html>
--inner--

--outer
Content-Type: image/png
Content-ID: <map@harbourpine>
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
--outer
Content-Type: application/pdf; name="routes.pdf"
Content-Disposition: attachment; filename="routes.pdf"
Content-Transfer-Encoding: base64

${Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64")}
--outer
Content-Type: image/jpeg
Content-Disposition: attachment; filename="voucher.jpg.exe"
Content-Transfer-Encoding: base64

${Buffer.concat([Buffer.from("MZ"), Buffer.alloc(62), Buffer.from("PE\0\0")]).toString("base64")}
--outer--
`);

export const richZone = {
  "harbourpine.example": {
    MX: [{ preference: 10, exchange: "mx.harbourpine.example" }],
    A: ["192.0.2.80"],
    TXT: ["v=spf1 ip4:192.0.2.80 -all"],
  },
  "mx.harbourpine.example": { A: ["192.0.2.25"] },
  "_dmarc.harbourpine.example": { TXT: ["v=DMARC1; p=none; rua=mailto:d@harbourpine.example"] },
} as const;
