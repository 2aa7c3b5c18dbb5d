import type { LiveErrors } from '@slipway/sdk/client/types.gen.ts'
import { truncateText } from '../../lib/truncate-text.ts'
import { insightsText } from '../../text/shipping.en.ts'

export type LiveError = LiveErrors['items'][number]

const TITLE_MAX = 120
const STACK_MAX = 6_000

/**
 * Returns the ticket that asks for a fix of an error. The fence of the code block has more backticks than any part of the error's text,
 * so that the text cannot end the block and add to the ticket.
 */
export function ticketOf(error: LiveError): { title: string; body: string } {
  const [firstLine = ''] = error.message.trim().split('\n')
  const title = insightsText.ticketTitle(firstLine)
  const told = [error.message, error.stack && truncateText(error.stack, STACK_MAX)]
    .filter(Boolean)
    .join('\n\n')
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(told) + 1))
  const seen = insightsText.ticketSeen(error.count, error.route?.replaceAll('`', '') ?? null)
  return {
    title: title.length > TITLE_MAX ? `${truncateText(title, TITLE_MAX - 1)}…` : title,
    body: `${seen}\n\n${fence}\n${told}\n${fence}`,
  }
}

const longestBacktickRun = (written: string): number =>
  Math.max(0, ...(written.match(/`+/g) ?? []).map((run) => run.length))
