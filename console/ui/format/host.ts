/** The host of a URL; any other text unchanged. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Whether a URL leads only to the machine it is opened on. */
export const isLocalOnly = (address: string) => /(^|\.)localhost(:\d+)?$/.test(hostOf(address))
