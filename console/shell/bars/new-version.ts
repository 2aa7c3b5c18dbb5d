const ENTRY_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/

/** Returns the URL of the entry script in the console's HTML, which differs between builds. Null for any other HTML. */
export const entryScript = (html: string): string | null => ENTRY_SCRIPT.exec(html)?.[1] ?? null

/** Whether the service serves a newer build of the console than the running one; false when that cannot be determined. */
export async function isOutdated(): Promise<boolean> {
  const running = document.querySelector('script[type=module][src]')?.getAttribute('src')
  try {
    const response = await fetch('/', { headers: { Accept: 'text/html' } })
    const served = response.ok ? entryScript(await response.text()) : null
    return running != null && served !== null && served !== running
  } catch {
    return false
  }
}
