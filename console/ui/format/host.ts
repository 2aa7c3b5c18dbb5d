/** Returns the host of a URL, and any other text unchanged. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Whether the host is `localhost` or a subdomain of it. On every machine these names mean that machine itself. */
export const isLocalOnly = (address: string) => /(^|\.)localhost(:\d+)?$/.test(hostOf(address))
