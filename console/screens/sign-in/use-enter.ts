import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/request/query-client.ts'
import { safeReturnPath } from '../../routes.ts'

/** Goes where the person wanted to go before signing in. Nothing of somebody else stays in the cache. */
export function useEnter(next: string | undefined): () => Promise<void> {
  const router = useRouter()
  return async () => {
    queryClient.clear()
    const { resumeOrganization } = await import('../../api/account/last-organization.ts')
    await resumeOrganization()
    router.history.push(safeReturnPath(next))
  }
}
