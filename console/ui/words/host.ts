/** The part of an address a person recognises. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Whether an address leads to the machine it is opened on, and nowhere else. */
export const isOnlyHere = (address: string) => /(^|\.)localhost(:\d+)?$/.test(hostOf(address))
