/** Returns the URL of a page of the app. It is always on the app's own origin, whatever the person typed. */
export function pageAddress(address: string, path: string): string {
  const home = new URL(address)
  const typed = path.trim()
  try {
    const page = new URL(typed.startsWith('/') ? typed : `/${typed}`, home)
    return page.origin === home.origin ? page.href : home.href
  } catch {
    return home.href
  }
}
