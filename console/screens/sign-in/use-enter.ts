import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/queries.ts'

/** Goes where the person wanted to go before signing in. Nothing of somebody else stays in the cache. */
export function useEnter(path: string): () => void {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.push(path)
  }
}
