/** Screens that need nothing but app.css. */
const FIRST_VIEWS = new Set(['/sign-in', '/sign-up', '/projects'])

let whole: Promise<void> | null = null
let isThere = false

/** Fetches the styles of all screens, once. */
export function loadWholeStyles(): Promise<void> {
  whole ??= import('./whole.css').then(
    () => void (isThere = true),
    (error: unknown) => {
      whole = null
      throw error
    },
  )
  return whole
}

/** Holds a screen back until its styles are there: it never shows without them. */
export async function requireStyles(pathname: string): Promise<void> {
  if (!isThere && !FIRST_VIEWS.has(pathname)) await loadWholeStyles()
}
