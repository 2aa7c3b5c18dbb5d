import * as z from 'zod'
import type { Cloud } from './client.ts'

const Account = z.looseObject({ id: z.string(), name: z.string() })
export type Account = z.output<typeof Account>

/** The accounts a credential reaches. */
export async function listAccounts(cloud: Cloud): Promise<Account[]> {
  return await cloud.call({
    method: 'GET',
    path: '/accounts',
    query: { page: '1', per_page: '50' },
    doing: 'list its accounts',
    result: z.array(Account),
  })
}

/** The account's subdomain under workers.dev (or its local counterpart); null when none has been chosen yet. */
export async function readSubdomain(cloud: Cloud): Promise<string | null> {
  const answer = await cloud.call({
    method: 'GET',
    path: '/accounts/:account/workers/subdomain',
    doing: 'read its workers.dev subdomain',
    result: z.looseObject({ subdomain: z.string().min(1) }),
    missing: 'null',
  })
  return answer?.subdomain ?? null
}
