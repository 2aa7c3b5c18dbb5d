import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { isLoopbackAddress } from '../lib/loopback.ts'
import { hostForUrl } from './listen.ts'
import { hasPeople } from '../auth/people.ts'

type SummarySettings = Pick<Config, 'baseUrl' | 'signup'>

/** Returns the lines that tell the operator who can reach the service, because other machines may reach it too. */
export async function describeAccess(
  { baseUrl, signup }: SummarySettings,
  { listensOn, db }: { listensOn: readonly { address: string; port: number }[]; db: Db },
): Promise<string[]> {
  const open = listensOn.filter(({ address }) => !isLoopbackAddress(address))
  const places = open.map(({ address, port }) => `${hostForUrl(address)}:${port}`).join(' and ')
  const isEmpty = !(await hasPeople(db))
  return [
    open.length === 0 ? 'Open to this machine only' : `Open to everyone who reaches ${places}`,
    `Sign-up: ${signup === 'open' ? 'open' : 'by invitation only'}`,
    ...(isEmpty ? [firstAccount({ baseUrl, signup })] : []),
  ]
}

function firstAccount({ baseUrl, signup }: SummarySettings): string {
  return signup === 'open'
    ? `No account exists yet: open ${baseUrl}/sign-up and create the first one`
    : 'No account exists yet: set SLIPWAY_SIGNUP=open until the first one is created'
}
