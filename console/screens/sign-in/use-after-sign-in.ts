import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/request/query-client.ts'
import { safeReturnPath } from '../../routes.ts'

/** Returns a function that opens the requested page after a sign-in, with the previous user's cache cleared. */
export function useAfterSignIn(next: string | undefined): () => Promise<void> {
  const router = useRouter()
  return async () => {
    queryClient.clear()
    const { resumeOrganization } = await import('../../api/account/last-organization.ts')
    await resumeOrganization()
    router.history.push(safeReturnPath(next))
  }
}
