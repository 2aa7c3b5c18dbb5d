let asked: string | null = null

/** The title of this ticket is to become a field as soon as its page is on screen. */
export function askForTitle(ticketId: string): void {
  asked = ticketId
}

/** Whether that was asked for; each time once. */
export function takeTitleRequest(ticketId: string): boolean {
  const isAsked = asked === ticketId
  if (isAsked) asked = null
  return isAsked
}
