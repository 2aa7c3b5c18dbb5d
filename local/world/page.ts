import type { Context, MiddlewareHandler } from 'hono'
import { html, raw } from 'hono/html'
import { createMiddleware } from 'hono/factory'

type Html = ReturnType<typeof html>

const PAGE_STYLE = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 10vh auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; line-height: 1.25; }
  fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 1rem; padding: 0.75rem 1rem; }
  legend { padding: 0 0.35rem; font-weight: 600; }
  label { display: block; padding: 0.15rem 0; }
  code { overflow-wrap: anywhere; }
  button, input:not([type]), input[type=text] { font: inherit; padding: 0.4rem 0.8rem; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem 0.4rem 0; border-top: 1px solid var(--line); }
  .note { opacity: 0.75; font-size: 0.9rem; }
`

/** Renders a page. The template escapes every value in it. */
export async function htmlPage(
  c: Context,
  title: string,
  content: Html,
  status: 200 | 400 = 200,
): Promise<Response> {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${raw(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`
  return c.html(body, status, {
    // Other pages cannot frame this page, and it cannot run scripts.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  })
}

/** Returns hidden fields with which a page's form sends the page's parameters back. */
export const hiddenInputs = (fields: [name: string, value: string][]): Html[] =>
  fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

export const checkBox = (name: string, value: string, text: string | Html, isTicked: boolean): Html =>
  html`<label
    ><input type="checkbox" name="${name}" value="${value}" ${isTicked ? raw('checked') : ''} />
    ${text}</label
  >`

/** Returns all values of a field, in order. */
export async function formOf(c: Context): Promise<(name: string) => string[]> {
  const form = await c.req.parseBody({ all: true })
  return (name) => [form[name] ?? []].flat().filter((value) => typeof value === 'string')
}

/** Refuses a form that another site submits: it would act as the person whose browser sends it (CSRF). */
export const rejectCrossSiteForms: MiddlewareHandler = createMiddleware((c, next) => {
  const site = c.req.header('sec-fetch-site') ?? siteOfOrigin(c)
  if (c.req.method !== 'POST' || site === 'same-origin') return next()
  return Promise.resolve(c.text('This form was sent by another site.', 403))
})

/** Returns the site for a request without `Sec-Fetch-Site`: old browsers send `Origin` instead, and programs send neither. */
function siteOfOrigin(c: Context): string {
  const origin = c.req.header('origin')
  if (origin === undefined) return 'same-origin'
  return URL.canParse(origin) && new URL(origin).host === new URL(c.req.url).host
    ? 'same-origin'
    : 'cross-site'
}
