/** The colors of a new app. Inline, because these pages are shown before anything of the app is loaded. */
const PAGE_STYLE = `:root{color-scheme:light dark;--accent:light-dark(#3154cf,#93a8ff);--on-accent:light-dark(#fff,#0e1433);
--page:light-dark(#f6f6f8,#0f1014);--surface:light-dark(#fff,#17191f);--line:light-dark(#e2e4ea,#2a2e38);
--edge:light-dark(#898f9e,#727a8c);--text:light-dark(#15171c,#eceef3);--muted:light-dark(#5a6070,#a3a9b8);
--bad:light-dark(#bb2636,#ff8f98)}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);
font:400 1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:400px;padding:32px 24px;background:var(--surface);border:1px solid var(--line);border-radius:16px}
h1{margin:0 0 8px;font-size:1.625rem;line-height:1.2;font-weight:680;letter-spacing:-.025em;overflow-wrap:anywhere}
p{margin:0 0 20px;color:var(--muted)}
label{display:block;margin-bottom:4px;font-weight:600}
input:not([type=hidden]),button{width:100%;min-height:44px;border-radius:10px;font:inherit}
input:not([type=hidden]){padding:8px 12px;border:1px solid var(--edge);background:var(--page);color:inherit}
input[aria-invalid]{border-color:var(--bad)}
[role=alert]{margin:8px 0 0;color:var(--bad)}
button{margin-top:20px;border:0;background:var(--accent);color:var(--on-accent);font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (char) => HTML_ENTITIES[char] ?? char)

/** Returns a page of the runtime itself, such as the form for the access code. The page shows only the name of the app. */
export const plainPage = (name: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(name)}</h1>
${body}
</main>
</body>
</html>
`
