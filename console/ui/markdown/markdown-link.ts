const HOST = /^[^/]*:\/\//

/** The target of a link in foreign text, and what to show of it; null when it must be plain text. */
export function readLink(
  address: string | undefined,
  words: string,
): { to: string; host: string | null } | null {
  if (address === undefined || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol === 'mailto:') return { to: url.href, host: null }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  // A text that is the address itself already shows the target.
  const says = words.replace(HOST, '')
  const isSaid = says === url.host || says.startsWith(`${url.host}/`)
  return { to: url.href, host: isSaid ? null : url.host }
}
