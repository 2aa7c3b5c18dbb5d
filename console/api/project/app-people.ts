import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { ListAppPeopleResponses } from '@slipway/sdk/client/types.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type AppUser = ListAppPeopleResponses[200]['data']['items'][number]

const PAGE_PEOPLE = 50
const FOUND_PEOPLE = 20

/**
 * The newest 1,000 people of the live app. The console shows their names in place of the ids of owners and
 * buyers.
 */
export const appUsersQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.appUsers(projectId),
    queryFn: ({ signal }) => call(api.listAppUsers({ path: { projectId }, query: { limit: 1000 }, signal })),
  })

/** The people of the live app whose name, address or id matches `q`, in pages, newest first. */
export const appPeopleQuery = (projectId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.appUsers(projectId), 'pages', q],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.listAppPeople({
          path: { projectId },
          query: { limit: PAGE_PEOPLE, ...(q && { q }), ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Up to 20 people of the live app whose name or address matches `q`, for a picker. */
export async function findPeople(projectId: string, q: string): Promise<{ id: string; label: string }[]> {
  const query = { limit: FOUND_PEOPLE, ...(q && { q }) }
  const { items } = await call(api.listAppPeople({ path: { projectId }, query }))
  return items.map(({ id, name, email }) => ({ id, label: `${name} (${email})` }))
}
