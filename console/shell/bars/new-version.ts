const ENTRY = /<script type="module"[^>]* src="([^"]+)"/

/** The entry script of a page of the console, which differs between builds. Null for any other page. */
export const entryOf = (html: string): string | null => ENTRY.exec(html)?.[1] ?? null

/** Whether the service serves another build of the console than the running one; false when it is unknown. */
export async function isOutdated(): Promise<boolean> {
  const running = document.querySelector('script[type=module][src]')?.getAttribute('src')
  try {
    const answer = await fetch('/', { headers: { Accept: 'text/html' } })
    const served = answer.ok ? entryOf(await answer.text()) : null
    return running != null && served !== null && served !== running
  } catch {
    return false
  }
}
