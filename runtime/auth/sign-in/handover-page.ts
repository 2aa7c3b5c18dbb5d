import { plainPage } from '../../kernel/pages/plain-page.ts'
import { manifest } from '../../manifest.gen.ts'

const SCRIPT_PATH = '/_app/auth/handover.js'

/**
 * The page that the console opens to sign a member of the operator's organization in. The token is in the fragment, which browsers send
 * neither to a server nor to another site. The script removes it from the address before using it. No code of the app runs on this page.
 */
export const handoverPage = (): Response =>
  respondWith(
    'text/html',
    plainPage(
      manifest.name,
      `<p id="state" role="status">Signing you in…</p><noscript><p>This needs JavaScript.</p></noscript>
<script src="${SCRIPT_PATH}"></script>`,
    ),
  )

export const handoverScript = (): Response =>
  respondWith(
    'text/javascript',
    `const token = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const say = (text) => {
  const state = document.getElementById('state')
  state.setAttribute('role', 'alert')
  state.textContent = text
}
fetch('/_app/auth/handover', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ token }),
})
  .then((answer) => answer.json())
  .then((answer) => (answer.ok ? location.replace('/') : say(answer.error.message)))
  .catch(() => say('The app cannot be reached. Open it from the console again.'))
`,
  )

const respondWith = (type: string, body: string): Response =>
  new Response(body, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
  })
