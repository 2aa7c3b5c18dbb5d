import { plainPage, escapeHtml } from './plain-page.ts'

/** The page that asks for the access code. Besides one form, this page shows only the name of the app. It has no script. */
export const gatePage = ({
  name,
  action,
  to,
  problem,
}: {
  name: string
  action: string
  /** The path to open after the right code. */
  to: string
  problem: string | null
}): string =>
  plainPage(
    name,
    `<form method="post" action="${action}">
<p>This app needs an access code.</p>
<input type="hidden" name="to" value="${escapeHtml(to)}">
<label for="code">Access code</label>
<input id="code" name="code" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" required autofocus${problem === null ? '' : ' aria-invalid="true" aria-describedby="problem"'}>
${problem === null ? '' : `<p id="problem" role="alert">${escapeHtml(problem)}</p>`}
<button type="submit">Open the app</button>
</form>`,
  )
