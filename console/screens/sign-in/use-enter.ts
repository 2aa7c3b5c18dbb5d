import { useRouter } from '@tanstack/react-router'

/** Goes where the person wanted to go before signing in. */
export function useEnter(path: string): () => void {
  const router = useRouter()
  return () => router.history.push(path)
}
