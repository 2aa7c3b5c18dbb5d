import * as z from 'zod'
import type { Cloud } from './client.ts'

const CloudAccount = z.looseObject({ id: z.string().min(1), name: z.string() })
export type CloudAccount = z.output<typeof CloudAccount>

const PAGE_SIZE = 50
/**
 * 20 pages contain 1,000 accounts, more than a person chooses from. The limit also ends the loop when a provider returns its
 * first page for every page number.
 */
const PAGES_MAX = 20

export async function listAccounts(cloud: Cloud): Promise<CloudAccount[]> {
  const found: CloudAccount[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const accounts = await cloud.call({
      method: 'GET',
      path: '/accounts',
      query: { page: String(page), per_page: String(PAGE_SIZE) },
      doing: 'list its accounts',
      result: z.array(CloudAccount),
    })
    found.push(...accounts)
    if (accounts.length < PAGE_SIZE) break
  }
  return found
}

/**
 * Returns the account's subdomain under workers.dev (or its local counterpart); null when none was chosen
 * yet.
 */
export async function readSubdomain(cloud: Cloud): Promise<string | null> {
  const response = await cloud.call({
    method: 'GET',
    path: '/accounts/:account/workers/subdomain',
    doing: 'read its workers.dev subdomain',
    result: z.looseObject({ subdomain: z.string().min(1) }),
    missing: 'null',
  })
  return response?.subdomain ?? null
}
