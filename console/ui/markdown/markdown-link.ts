const HOST = /^[^/]*:\/\//

/** Where a link of foreign text may lead, and what to show of it; null when it is to be plain words. */
export function readLink(
  address: string | undefined,
  words: string,
): { to: string; host: string | null } | null {
  if (address === undefined || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol === 'mailto:') return { to: url.href, host: null }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  // Words that are the address itself say already where they lead.
  const says = words.replace(HOST, '')
  const isSaid = says === url.host || says.startsWith(`${url.host}/`)
  return { to: url.href, host: isSaid ? null : url.host }
}
